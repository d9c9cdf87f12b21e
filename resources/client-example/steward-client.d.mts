/** JSON Schema of an object; `{}`: no parameters. */
export type ParametersSchema = Readonly<Record<string, unknown>>;

export type ContentItem =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'json'; readonly value: unknown }
  /** `data`: Base64. */
  | { readonly type: 'binary'; readonly mimeType: string; readonly data: string; readonly filename?: string };

export interface CallContext {
  /** Aborted when the answer is no longer wanted: the user stopped, or the connection was lost. */
  readonly signal: AbortSignal;
  /** The model's id of the call. */
  readonly callId: string;
  readonly conversationId: string;
}

export interface ClientTool {
  readonly name: string;
  readonly description: string;
  readonly parametersSchema?: ParametersSchema;
  /** Steward asks the user before every call. */
  readonly requiresPermission?: boolean;
  /**
   * Nothing, a text, content items, or any JSON value. What it throws is what the model is told. `args` come from a model: check them.
   */
  run(args: Readonly<Record<string, unknown>>, context: CallContext): unknown;
}

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly functionResult?: string;
  readonly systemPrompt?: string;
  readonly references?: readonly { readonly toolName: string; readonly toolsetName?: string }[];
  /** Either `content` (at most 50 KB) or `url`. */
  readonly documents?: readonly {
    readonly id: string;
    readonly description: string;
    readonly content?: string;
    readonly url?: string;
  }[];
}

export interface ToolGroup<Tool = ClientTool> {
  readonly name: string;
  /** When to use it. Without one, a collapsed group is described by the names of its tools. */
  readonly description?: string;
  readonly tools: readonly Tool[];
  readonly skills?: readonly Skill[];
  /** Given to the model once, when it opens the group. */
  readonly functionResult?: string;
  /** In the system prompt while the group is open. */
  readonly systemPrompt?: string;
  /** Default: true. */
  readonly startCollapsed?: boolean;
}

export interface ContextItem {
  readonly description: string;
  readonly value: string;
  readonly key?: string;
}

/** Applied in this order before the next request to the model. Its groups bring no functions: their tools must be among `groups`. */
export interface Augmentation {
  readonly removeToolGroups?: readonly string[];
  readonly injectToolGroups?: readonly ToolGroup<Omit<ClientTool, 'run'>>[];
  readonly expandToolGroups?: readonly string[];
  readonly collapseToolGroups?: readonly string[];
  readonly hideTools?: readonly string[];
  readonly showTools?: readonly string[];
  readonly addContext?: readonly ContextItem[];
  readonly removeContext?: readonly string[];
  readonly updateState?: unknown;
  readonly patchState?: unknown;
}

export type Status =
  | { readonly name: 'connecting' }
  | { readonly name: 'attached'; readonly conversationId: string; readonly groups: readonly string[] }
  /** The window shows another conversation; what was brought to the current one follows. */
  | { readonly name: 'current'; readonly conversationId: string }
  | { readonly name: 'disconnected'; readonly reason: string; readonly retryInMs: number }
  /** A `client_error`. The connection may go on. */
  | { readonly name: 'error'; readonly code: string; readonly reason: string }
  | ({ readonly name: 'closed' } & Outcome);

/** `code`: of a refusal, or the exit code of `ask`. */
export interface Outcome {
  readonly reason?: string;
  readonly code?: string | number | null;
}

export interface ClientOptions {
  /** How the program is called in Steward: 1 to 64 visible characters. */
  readonly name: string;
  readonly version?: string;
  readonly groups: readonly ToolGroup[];
  /** Only for the window. Default: `current`. */
  readonly conversation?: 'current' | (string & {});
  readonly expandedContainers?: readonly string[];
  readonly hiddenTools?: readonly string[];
  readonly context?: readonly ContextItem[];
  readonly state?: unknown;
  readonly resetClientState?: boolean;
  readonly transport: Transport;
  onStatus?(status: Status): void;
  /** Every message that is not about tools: the events of `ask --json`. */
  onEvent?(event: { readonly type: string } & Readonly<Record<string, unknown>>): void;
}

export interface Client {
  /** Settled when it is over: closed, refused, revoked, or `ask` has ended. Rejects if `ask` can't be started. */
  readonly ended: Promise<Outcome>;
  close(): void;
}

/** How messages get to Steward and back; made by `socketTransport` and `askTransport`. */
export type Transport = (ports: never) => {
  readonly ended: Promise<Outcome>;
  send(message: object): void;
  close(): void;
};

export interface SocketOptions {
  /** Steward's profile folder. Default: the one of the installed app. */
  readonly profile?: string;
  /** Where the token is kept. Default: `~/.config/steward-clients/{name}.token`. */
  readonly tokenFile?: string;
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
}

export interface AskOptions {
  readonly command: readonly [string, ...string[]];
  readonly args?: readonly string[];
  readonly prompt: string;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Default: that of this program. */
  readonly stderr?: 'inherit' | 'ignore';
}

export function withClientTools(options: ClientOptions): Client;
export function content(value: unknown): ContentItem;
export function binary(mimeType: string, bytes: Uint8Array, filename?: string): ContentItem;
export function withAugmentation(result: unknown, augmentation: Augmentation): unknown;
export function socketTransport(options?: SocketOptions): Transport;
export function askTransport(options: AskOptions): Transport;
