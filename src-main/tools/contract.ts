import type { ResultPart } from '../../src-preload/contract/content-blocks.ts';
import type { CallOutcome, Mark } from '../../src-preload/contract/events.ts';
import type { ToolCard } from '../../src-preload/contract/tool-card.ts';
import { errorMessage } from '../base/errors.ts';
import type { HttpClient } from '../network/http.ts';
import type { Access, AccessClass, CallEffects } from '../policy/access.ts';
import type { ProcessRunner } from '../processes/process-runner.ts';
import type { AppSecretName } from '../secrets/secret-names.ts';
import type { ServiceName } from '../settings/endpoints.ts';
import type { Memory } from '../storage/records/memory.ts';
import type { WorkspaceFiles } from './files/workspace-files.ts';
import type { BackgroundShells } from './shell/background-shells.ts';
import type { ToolWords } from './words/tool-words.ts';

/**
 * The tool contract. A call goes through three steps, each of which needs what the one before it gave: `prepare` parses its
 * input, `assess` says what it would touch, and what the policy then allowed is executed, exactly as it was assessed. Everything
 * a tool touches comes in through its context. Source: tool catalogue A.1, design section 3.
 */

/** JSON Schema (draft 2020-12) of a tool's input; the root's type is "object". */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a call was given, by parameter. */
export type ToolInput = Readonly<Record<string, unknown>>;

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  /** Where `isError` alone does not say how it ended. */
  readonly outcome?: FailureOutcome;
  /** The whole result, where it is more than `text`. */
  readonly parts?: readonly ResultPart[];
}

/** Why an error is no failure of the tool: the person pressed Stop, or an access that came up meanwhile was not allowed. */
export type FailureOutcome = Extract<CallOutcome, 'stopped' | 'declined'>;

/**
 * Ends a call with this exact text as its (error) result. A tool that ends because its signal aborted says so: by `outcome`, or
 * with the signal's reason among the causes.
 */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly outcome: FailureOutcome | undefined;

  constructor(text: string, { outcome, ...options }: ErrorOptions & { readonly outcome?: FailureOutcome } = {}) {
    super(text, options);
    this.outcome = outcome;
  }
}

/** How a call ended that threw this, whatever was wrapped around it. Empty: it failed. */
export function failureOutcome(error: unknown, signal: AbortSignal): Pick<ToolResult, 'outcome'> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ToolFailure && cause.outcome !== undefined) return { outcome: cause.outcome };
    if (signal.aborted && (cause === signal.reason || cause.name === 'AbortError')) return { outcome: 'stopped' };
  }
  return {};
}

/** The services of vendors, where the settings say they are, with their keys. Source: design sections 6 and 7. */
export interface Vendors {
  /** Without a slash at the end; see `joinBaseUrl`. */
  baseUrlOf(service: ServiceName): string;
  /** Read anew at each call: a key may come and go. `undefined`: it is not set. */
  keyOf(name: AppSecretName): Promise<string | undefined>;
  /** The provider for web_search; `undefined`: none is set up. */
  readonly searchProvider: SearchProviderName | undefined;
}

export type SearchProviderName = 'brave' | 'duckduckgo' | 'searxng';

export type ToolCategory = 'core' | 'mcp' | 'api' | 'client';

/** What a call looks at before it is decided. Until then nothing is started, sent or changed. */
export interface AssessContext {
  /** Absolute path as configured. */
  readonly workspace: string;
  readonly files: WorkspaceFiles;
  readonly shells: Pick<BackgroundShells, 'get'>;
  readonly http: Pick<HttpClient, 'access'>;
  readonly vendors: Vendors;
  /** The process's own environment, secrets and all: what may be shown of it is the policy's to say. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly conversationId: string;
  /** Marks of the conversation when the call was made. */
  readonly marks: readonly Mark[];
  /** Aborted on Stop: requests abort, process trees die. */
  readonly signal: AbortSignal;
}

/** What a call works with once it is allowed. */
export interface ToolContext extends AssessContext {
  readonly processes: ProcessRunner;
  /** Shells that outlive their call. */
  readonly shells: BackgroundShells;
  readonly http: HttpClient;
  readonly memory: Memory;
  readonly now: () => Date;
  /**
   * Puts a further access to the policy, one that was not known before the call ran (a redirect). Resolves if it is allowed;
   * rejects with a `ToolFailure` if not.
   */
  readonly allowAccess: (access: Access) => Promise<void>;
  /** Says what kind of text the result puts into the context. Called by tools whose results carry it. */
  readonly mark: (mark: Mark) => void;
  /**
   * Reports which addresses in the result the model did not make up, so that it may follow them: the URL fields of a service's
   * results, never addresses quoted in a text. `page`: the URL that was asked for, if they stand on a page; then they count only if
   * that is such an address itself.
   */
  readonly links: (links: readonly string[], page?: string) => void;
  /** Says that the command of this call has ended, and with which exit code. The last one counts. */
  readonly exited: (exitCode: number) => void;
  /** How the result's card is drawn. The last one counts. */
  readonly card: (card: ToolCard) => void;
  /** What the call's commands are given, where the user lets them have more than others; `undefined`: what all have. */
  readonly commandEnvironment: Readonly<NodeJS.ProcessEnv> | undefined;
  /** Output while the call runs, for a live card. Never needed for the result. */
  readonly onOutput: (chunk: string) => void;
}

/**
 * How a call can be taken back. `before-image`: the files that it changes are kept as they were. `nothing`: it changes
 * nothing that could be taken back. `impossible`: what it did cannot be known or taken back from here.
 */
export type Undo = 'before-image' | 'nothing' | 'impossible';

/** What docs/TOOLS.md says besides parameters and class. */
export interface ToolManual {
  /** Input of a typical call. */
  readonly example: ToolInput;
  /** Sizes, times and counts that hold, one sentence each. */
  readonly limits?: readonly string[];
}

/** A tool in the registry, whatever it was made from (built in, MCP, client). */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** The class shown in lists and the manual; each exact call states its own when it is assessed. */
  readonly access: AccessClass;
  readonly inputSchema: JsonSchema;
  /** Alias of a parameter → parameter. */
  readonly parameterAliases: Readonly<Record<string, string>>;
  /** Other names under which a call reaches this tool; never sent to a model. */
  readonly nameAliases: readonly string[];
  readonly errorPrefix: string;
  /** Parameters for which the empty string is a value; for all others it counts as missing. */
  readonly emptyAllowed: readonly string[];
  /** Texts that replace the generic `{prefix}{param} is required`. */
  readonly requiredTexts: Readonly<Record<string, string>>;
  /** Has its own documented cap on the result's length and is exempt from the global one. */
  readonly hasOwnResultCap: boolean;
  readonly undo: Undo;
  readonly manual?: ToolManual;
  /** Absent: it is spoken of by its name (see `genericWords`). */
  readonly words?: ToolWords;
  /** In which the model says why it wants the call. */
  readonly reasonParameter?: string;
  /** Hands text to a model that the user configured. Counts for tools of the category `api` only. */
  readonly asksModel: boolean;
  /** A call with this input, which `validateInput` has passed. Throws `ToolFailure` for one that the tool cannot take. */
  prepare(input: ToolInput): ToolCall;
}

/** One call of a tool, its input parsed. */
export interface ToolCall {
  /**
   * Replaces the text of a call that was not allowed, for tools that then have an answer of their own. What the person said to
   * the model comes after it.
   */
  readonly declinedText?: string | undefined;
  /**
   * What exactly it would touch now. Rejects only with `AccessDenied` or `ToolFailure`: then the call is refused. Done again
   * whenever what it depends on may have changed before somebody has answered.
   */
  assess(context: AssessContext): Promise<AssessedCall>;
}

/** What a call would touch, and the way to do that and nothing else. */
export interface AssessedCall extends CallEffects {
  /** Only for what the policy has allowed. Never rejects for a failure of the tool. */
  execute(context: ToolContext): Promise<ToolResult>;
}

/** The default prefix of an error message (tool catalogue A.7). */
export function unexpectedFailurePrefix(toolName: string): string {
  return `Error executing tool "${toolName}": `;
}

/** Whatever goes wrong in `work` becomes a result that begins with `prefix`; what has its own text already keeps it. */
export async function withFailurePrefix<T>(prefix: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolFailure) throw error;
    throw new ToolFailure(`${prefix}${errorMessage(error)}`, { cause: error });
  }
}
