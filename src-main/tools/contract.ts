import type { ResultPart } from '../../src-preload/contract/content-blocks.ts';
import type { CallOutcome, CallProgress, DecisionBy, EventOf, Mark } from '../../src-preload/contract/events.ts';
import type { Remedy } from '../../src-preload/contract/remedies.ts';
import type { ToolCard } from '../../src-preload/contract/tool-card.ts';
import { errorMessage } from '../base/errors.ts';
import type { HttpClient } from '../network/http.ts';
import type { Access, AccessClass, CallEffects } from '../policy/access.ts';
import type { UnaskedChanges } from '../policy/unasked-changes.ts';
import type { ProcessRunner } from '../processes/process-runner.ts';
import type { CommandSandbox } from '../sandbox/sandbox.ts';
import type { AppSecretName } from '../secrets/secret-names.ts';
import type { ServiceName } from '../settings/endpoints.ts';
import type { Memory } from '../storage/records/memory.ts';
import type { WorkspaceFiles } from './files/workspace-files.ts';
import type { GoogleAccounts } from './google/google-accounts.ts';
import type { Outbox } from './google/outbox.ts';
import type { McpResources } from './session/mcp-resources.ts';
import type { BackgroundShells } from './shell/background-shells.ts';
import type { CommandGates } from './shell/command-gates.ts';
import { AccountUnreached, NothingThere } from './unreached.ts';
import type { ToolWords } from './words/tool-words.ts';

/**
 * The tool contract. A call goes through three steps: `prepare` parses its input, `assess` says what it would touch,
 * and once the policy has allowed that, exactly what was assessed is executed. Everything a tool touches comes in
 * through its context. Source: tool catalogue A.1, design section 3.
 */

/** JSON Schema (draft 2020-12) of a tool's input; the root's type is "object". */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a call was given, by parameter. */
export type ToolInput = Readonly<Record<string, unknown>>;

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  /** How it failed, if `isError` alone does not say it. */
  readonly outcome?: FailureOutcome;
  /** What could fix what failed; a result may have failed in part. */
  readonly remedies?: readonly Remedy[];
  /** The whole result, if there is more than `text`. */
  readonly parts?: readonly ResultPart[];
  /** The turn ends with this error once the result is kept. */
  readonly endsTurn?: TurnFailure;
  /** The call ended before a connected account was reached, so its result contains nothing of that account. */
  readonly isAccountUnreached?: true;
  /** The file or folder does not exist, and that is all that is learned. */
  readonly isNothingThere?: true;
}

/** `message` is for people. */
export interface TurnFailure {
  readonly code: string;
  readonly message: string;
}

/**
 * Why an error is not a failure of the tool: the user pressed Stop or did not answer it, or an access requested during
 * the call was not allowed.
 */
export type FailureOutcome = Extract<CallOutcome, 'stopped' | 'declined' | 'unanswered'>;

type FailureDetails = Pick<ToolResult, 'outcome' | 'remedies' | 'endsTurn' | 'isAccountUnreached' | 'isNothingThere'>;

/** An error that a user can fix somewhere else. */
export class FixableError extends Error {
  override readonly name: string = 'FixableError';
  /** Empty if trying again is the only option. */
  readonly remedies: readonly Remedy[];

  constructor(message: string, { remedies = [], ...options }: ErrorOptions & Pick<ToolResult, 'remedies'> = {}) {
    super(message, options);
    this.remedies = remedies;
  }
}

/** What could fix the error, even if it was wrapped. */
export function remediesOf(error: unknown): readonly Remedy[] {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof FixableError && cause.remedies.length > 0) return cause.remedies;
  return [];
}

/**
 * Ends a call with this exact text as its (error) result. A tool that ends because its signal aborted reports it, by
 * `outcome` or with the signal's reason among the causes.
 */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly outcome: FailureOutcome | undefined;
  readonly endsTurn: TurnFailure | undefined;

  constructor(
    text: string,
    { outcome, endsTurn, ...options }: ErrorOptions & Pick<ToolResult, 'outcome' | 'endsTurn'> = {},
  ) {
    super(text, options);
    this.outcome = outcome;
    this.endsTurn = endsTurn;
  }
}

/** How a call that threw this ended, even if the error was wrapped. Empty if it simply failed. */
export function failureDetails(error: unknown, signal: AbortSignal): FailureDetails {
  let isUnreached = false;
  let isNothingThere = false;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    isUnreached ||= cause instanceof AccountUnreached;
    isNothingThere ||= cause instanceof NothingThere;
    if (cause instanceof ToolFailure && cause.outcome !== undefined) return { outcome: cause.outcome };
    if (cause instanceof ToolFailure && cause.endsTurn !== undefined) return { endsTurn: cause.endsTurn };
    if (signal.aborted && (cause === signal.reason || cause.name === 'AbortError')) return { outcome: 'stopped' };
  }
  const remedies = remediesOf(error);
  return {
    ...(remedies.length === 0 ? {} : { remedies }),
    ...(isUnreached ? { isAccountUnreached: true } : {}),
    ...(isNothingThere ? { isNothingThere: true } : {}),
  };
}

/** The vendors' services at their configured addresses, with their keys. Source: design sections 6 and 7. */
export interface Vendors {
  /** The address has no trailing slash; see `joinBaseUrl`. */
  baseUrlOf(service: ServiceName): string;
  /** Keys are read at each call, because they can be added and removed. Undefined if the key is not set. */
  keyOf(name: AppSecretName): Promise<string | undefined>;
  /** The provider for web_search, or undefined if none is set up. */
  readonly searchProvider: SearchProviderName | undefined;
}

export type SearchProviderName = 'brave' | 'duckduckgo' | 'searxng';

export type ToolCategory = 'core' | 'mcp' | 'api' | 'client';

/** A question to the model of another provider. */
export interface ModelQuestion {
  /** The provider's name in config.json. */
  readonly provider: string;
  /** The provider's base URL, as the policy was told. */
  readonly address: string;
  readonly prompt: string;
  /** The limit of each answer, from 1. */
  readonly maxTokens: number;
}

/** What a call may use before the decision. Nothing is started, sent or changed until then. */
export interface AssessContext {
  /** The absolute path as configured. */
  readonly workspace: string;
  readonly files: WorkspaceFiles;
  readonly shells: Pick<BackgroundShells, 'get'>;
  readonly sandbox: CommandSandbox;
  readonly unaskedChanges: Pick<UnaskedChanges, 'count'>;
  readonly http: Pick<HttpClient, 'access'>;
  readonly vendors: Vendors;
  readonly mcpResources: McpResources;
  readonly google: GoogleAccounts;
  readonly outbox: Pick<Outbox, 'waitSeconds'>;
  /** The process's own environment, including secrets: the policy decides what may be shown of it. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly conversationId: string;
  readonly callId: string;
  /** When the conversation began. */
  readonly beganAt: Date;
  /** Marks of the conversation when the call was made. */
  readonly marks: readonly Mark[];
  /** The signal is aborted on Stop. Requests then abort, and the process trees of the call end. */
  readonly signal: AbortSignal;
}

/** What a call may use once it is allowed. */
export interface ToolContext extends AssessContext {
  readonly processes: ProcessRunner;
  /** What allowed it. */
  readonly allowedBy: DecisionBy;
  /** The networks of held commands. */
  readonly gates: Pick<CommandGates, 'use'>;
  /** Shells that outlive their call. */
  readonly shells: BackgroundShells;
  readonly http: HttpClient;
  readonly memory: Memory;
  readonly outbox: Outbox;
  readonly now: () => Date;
  /**
   * Asks the policy for another access that was not known before the call ran (a redirect). Resolves if it is allowed;
   * otherwise rejects with a `ToolFailure`.
   */
  readonly allowAccess: (access: Access) => Promise<void>;
  /** Whether the policy allows another access that came up, without asking. */
  readonly isAccessAllowed: (access: Access) => Promise<boolean>;
  /** Asks like `allowAccess`, about several at once, and until the signal aborts: then it rejects with its reason. */
  readonly allowAccesses: (accesses: readonly Access[], until: AbortSignal) => Promise<void>;
  /** Marks the kind of text that the result adds to the context. Tools whose results contain such text call it. */
  readonly mark: (mark: Mark) => void;
  /**
   * Reports the addresses in the result that the model did not make up, so that it may follow them: the URL fields of a
   * service's results, never addresses quoted in a text. If they are links on a page, `page` is the requested URL; they
   * then count only if that is such an address itself.
   */
  readonly links: (links: readonly string[], page?: string) => void;
  /** Reports the links of a mail. The user is asked about those of a sender once. */
  readonly mailLinks: (links: readonly string[], sender: string) => void;
  /** Reports that the command of this call has ended, with its exit code. The last report counts. */
  readonly exited: (exitCode: number) => void;
  /**
   * Keeps in the conversation what a server asked the user during the call, and what a model's answer to the server
   * took.
   */
  readonly record: (event: EventOf<'server_request'> | EventOf<'usage'>) => void;
  /**
   * Asks another model, which knows nothing of the conversation and may call tools through the same policy. Resolves
   * with its answer when that is complete. Rejects with an error whose message is for the model that asked.
   */
  readonly askModel: (question: ModelQuestion) => Promise<string>;
  /**
   * Searches the tools of the conversation, best first. The model is offered those that it returns; names are in wire
   * form.
   */
  readonly findTools: (
    query: string,
    count: number,
  ) => Promise<
    readonly { readonly name: string; readonly description: string; readonly marks?: readonly Mark[] | undefined }[]
  >;
  /** How the result's card is drawn. The last one counts. */
  readonly card: (card: ToolCard) => void;
  /** Extra environment for the call's commands if the user allows them more. Undefined means the usual one. */
  readonly commandEnvironment: Readonly<NodeJS.ProcessEnv> | undefined;
  /** Output while the call runs, for a live card. Never needed for the result. */
  readonly onOutput: (chunk: string) => void;
  /** Reports the progress in numbers, for programs that follow the turn. */
  readonly onProgress?: (progress: CallProgress) => void;
}

/**
 * How a call can be undone. With `before-image`, the files that it changes are saved first. With `checkpoint`, what is
 * in the roots is kept first; it may have other effects. With `nothing`, there is nothing to undo. With `impossible`, its
 * effects are unknown or out of reach.
 */
export type Undo = 'before-image' | 'checkpoint' | 'nothing' | 'impossible';

/** What docs/TOOLS.md says in addition to parameters and class. */
export interface ToolManual {
  /** The input of a typical call. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Limits of size, time and count, one sentence each. */
  readonly limits?: readonly string[];
}

/** A tool in the registry, whatever its origin (built in, MCP, client). */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** The class shown in lists and the manual; each call declares its own when it is assessed. */
  readonly access: AccessClass;
  readonly inputSchema: JsonSchema;
  /** What models are told of it where commands can't be held in a sandbox. Without this, the same. */
  readonly schemaWithoutSandbox?: JsonSchema;
  /** The parameter that each alias stands for. */
  readonly parameterAliases: Readonly<Record<string, string>>;
  /**
   * The program that brought the tool, which is shown before its name. The name of a server's tool already contains the
   * server. Absent for Steward's own tools.
   */
  readonly owner?: string;
  /** Other names for this tool; never sent to a model. */
  readonly nameAliases: readonly string[];
  readonly errorPrefix: string;
  /** Parameters that may be the empty string; for all others it counts as missing. */
  readonly emptyAllowed: readonly string[];
  /** Texts that replace the generic `{prefix}{param} is required`. */
  readonly requiredTexts: Readonly<Record<string, string>>;
  /**
   * Optional parameters for which a value of another type is an error: without them, more would be done than was asked.
   */
  readonly strictParameters?: readonly string[];
  /**
   * How long the texts in a parameter may be, in UTF-16 units, where that is not the usual length. Checked before
   * anything reads them.
   */
  readonly longest?: Readonly<Record<string, number>>;
  /**
   * Parameters that it doesn't have are an error: it sends, or writes to an account, and something would be missing
   * there.
   */
  readonly refusesUnknown?: true;
  /**
   * The input goes to someone else's server or program as the model wrote it: the rules for our own parameters don't
   * hold. Source: tool catalogue A.6.
   */
  readonly isForwarded?: true;
  /** Has its own documented cap on the result's length and is exempt from the global one. */
  readonly hasOwnResultCap: boolean;
  readonly undo: Undo;
  readonly manual?: ToolManual;
  /** The words for people. Without them, people see the tool's name (see `genericWords`). */
  readonly words?: ToolWords;
  /** The parameters in which the model gives its reason for the call; the first that is not empty counts. */
  readonly reasonParameters?: readonly string[];
  /** Hands text to a model that the user configured. Counts for tools of the category `api` only. */
  readonly asksModel: boolean;
  /** The provider that such a tool asks, by its name in config.json. */
  readonly asks?: string;
  /** A call with this input, which has passed `validateInput`. Throws `ToolFailure` if the tool can't accept it. */
  prepare(input: ToolInput): ToolCall;
}

/** One call of a tool, with its input parsed. */
export interface ToolCall {
  /**
   * Replaces the text of a call that was not allowed, for tools with their own answer in that case. What the user told
   * the model is appended.
   */
  readonly declinedText?: string | undefined;
  /**
   * What exactly it would touch now. Rejects only with `AccessDenied` or `ToolFailure`; the call is then refused.
   * Called again if what it depends on may have changed before the answer.
   */
  assess(context: AssessContext): Promise<AssessedCall>;
}

/** What a call would touch, and a function that does exactly that. */
export interface AssessedCall extends CallEffects {
  /** Call only with what the policy has allowed. Never rejects because the tool fails. */
  execute(context: ToolContext): Promise<ToolResult>;
}

/** The default prefix of an error message (tool catalogue A.7). */
export function unexpectedFailurePrefix(toolName: string): string {
  return `Error executing tool "${toolName}": `;
}

/** Prefixes any error from `work`, except a `ToolFailure`, which keeps its own text. */
export async function withFailurePrefix<T>(prefix: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolFailure) throw error;
    throw new ToolFailure(`${prefix}${errorMessage(error)}`, { cause: error });
  }
}
