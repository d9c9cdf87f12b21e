import { z } from 'zod';
import type { ResultPart } from '../../src-preload/contract/content-blocks.ts';
import type { CallOutcome, Mark } from '../../src-preload/contract/events.ts';
import type { ToolCard } from '../../src-preload/contract/tool-card.ts';
import { errorMessage } from '../base/errors.ts';
import type { HttpClient } from '../network/http.ts';
import type { Access, AccessClass, CallEffects } from '../policy/access.ts';
import { AccessDenied } from '../policy/roots.ts';
import type { ProcessRunner } from '../processes/process-runner.ts';
import type { AppSecretName } from '../secrets/secret-names.ts';
import type { ServiceName } from '../settings/endpoints.ts';
import type { Memory } from '../storage/records/memory.ts';
import type { WorkspaceFiles } from './files/workspace-files.ts';
import type { BackgroundShells } from './shell/background-shells.ts';

/**
 * The tool contract. A tool is data plus one function; everything it touches comes in through its context.
 * Source: tool catalogue A.1.
 */
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

/** JSON Schema (draft 2020-12) of a tool's input; the root's type is "object". */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The services of vendors, where the settings say they are, with their keys. Source: design sections 6 and 7. */
export interface Vendors {
  /** Without a slash at the end; see `joinBaseUrl`. */
  baseUrlOf(service: ServiceName): string;
  /** Read anew at each call: a key may come and go. `undefined`: it is not set. */
  keyOf(name: AppSecretName): Promise<string | undefined>;
  /** Who answers web_search; `undefined`: nobody is set up. */
  readonly searchProvider: SearchProviderName | undefined;
}

export type SearchProviderName = 'brave' | 'duckduckgo' | 'searxng';

export type ToolCategory = 'core' | 'mcp' | 'api' | 'client';

export interface ToolContext {
  /** Absolute path as configured. */
  readonly workspace: string;
  readonly files: WorkspaceFiles;
  readonly processes: ProcessRunner;
  /** Shells that outlive their call. Absent: nothing can be started in the background. */
  readonly shells?: BackgroundShells;
  /** What the call was allowed to touch; absent where the caller is the person. */
  readonly authorized?: CallEffects;
  /** Aborted on Stop: requests abort, process trees die. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly http: HttpClient;
  readonly vendors: Vendors;
  readonly memory: Memory;
  /** The process's own environment, secrets and all: what may be shown of it is the policy's to say. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** `null`: outside any conversation. */
  readonly conversationId: string | null;
  /** Marks of the conversation when the call was made. */
  readonly marks: readonly Mark[];
  /**
   * Puts a further access to the policy, one that was not known before the call ran (a redirect). Resolves if it is allowed;
   * rejects with a `ToolFailure` if not. Absent where the caller is the person: then all is allowed.
   */
  readonly allowAccess?: (access: Access) => Promise<void>;
  /** Says what kind of text the result puts into the context. Called by tools whose results carry it. */
  readonly mark: (mark: Mark) => void;
  /** How the result's card is drawn. The last one counts. */
  readonly card: (card: ToolCard) => void;
  /** Output while the call runs, for a live card. Never needed for the result. */
  readonly onOutput?: (chunk: string) => void;
}

/**
 * How a call can be taken back. `before-image`: the files that it changes are kept as they were. `nothing`: it changes
 * nothing that could be taken back. `impossible`: what it did cannot be known or taken back from here.
 */
export type Undo = 'before-image' | 'nothing' | 'impossible';

/** What docs/TOOLS.md says besides parameters and class. */
export interface ToolManual {
  /** Input of a typical call. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Sizes, times and counts that hold, one sentence each. */
  readonly limits?: readonly string[];
}

/** A tool in the registry, whatever it was made from (built in, MCP, client). */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** The class shown in lists and the manual; each exact call states its own through `effects`. */
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
  /** Hands text to a model that the user configured. Counts for tools of the category `api` only. Absent: it does not. */
  readonly asksModel?: boolean;
  /** What exactly this call would touch. Rejects only with `AccessDenied` or `ToolFailure`: then the call is refused. */
  effects(input: Readonly<Record<string, unknown>>, context: ToolContext): Promise<CallEffects>;
  /**
   * Replaces the text of a call that was not allowed, for tools that then have an answer of their own. What the person said to
   * the model comes after it.
   */
  declined?(input: Readonly<Record<string, unknown>>): string;
  /** Never rejects for a failure of the tool. */
  execute(input: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult>;
}

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

export interface BuiltInTool<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly description: string;
  readonly access: AccessClass;
  readonly input: z.ZodObject<Shape>;
  readonly aliases?: Readonly<Record<string, keyof Shape & string>>;
  readonly nameAliases?: readonly string[];
  readonly errorPrefix?: string;
  readonly emptyAllowed?: readonly (keyof Shape & string)[];
  readonly requiredTexts?: Readonly<Partial<Record<keyof Shape & string, string>>>;
  readonly hasOwnResultCap?: boolean;
  /** Default: `nothing` for a tool that reads or keeps to the app's own store, `impossible` for any other. */
  readonly undo?: Undo;
  readonly manual?: ToolManual;
  /** Replaces the text of a call that was not allowed. */
  declined?(input: z.output<z.ZodObject<Shape>>): string;
  /** Default: nothing outside the app is touched. */
  effects?(input: z.output<z.ZodObject<Shape>>, context: ToolContext): Promise<CallEffects>;
  /** A returned string is a success; failures are thrown as `ToolFailure` or anything else. */
  execute(input: z.output<z.ZodObject<Shape>>, context: ToolContext): Promise<string>;
}

/**
 * Makes a registry tool of a declaration. The JSON Schema is made from the zod schema at first use. What `execute` throws
 * becomes an error result: `ToolFailure` and `AccessDenied` their own text, anything else `{errorPrefix}{message}`, or
 * `Error executing tool "{name}": {message}` for a tool without a prefix of its own (tool catalogue A.6, A.7).
 */
export function defineTool<Shape extends z.ZodRawShape>(spec: BuiltInTool<Shape>): Tool {
  const { access } = spec;
  if (spec.effects === undefined && access !== 'read' && access !== 'write') {
    throw new TypeError(`Tool ${spec.name} is of class ${access}: it must say what each call touches (effects)`);
  }
  const errorPrefix = spec.errorPrefix ?? 'Error: ';
  const failurePrefix = spec.errorPrefix ?? unexpectedFailurePrefix(spec.name);
  let inputSchema: JsonSchema | undefined;

  const parse = (input: unknown): z.output<z.ZodObject<Shape>> => {
    const parsed = spec.input.safeParse(input);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    throw new ToolFailure(`${errorPrefix}${issue?.path.join('.') ?? 'input'}: ${issue?.message ?? 'is not valid'}`);
  };

  return {
    name: spec.name,
    description: spec.description,
    access,
    get inputSchema() {
      inputSchema ??= jsonSchemaOf(spec.input);
      return inputSchema;
    },
    parameterAliases: spec.aliases ?? {},
    nameAliases: spec.nameAliases ?? [],
    errorPrefix,
    emptyAllowed: spec.emptyAllowed ?? [],
    requiredTexts: (spec.requiredTexts ?? {}) as Readonly<Record<string, string>>,
    hasOwnResultCap: spec.hasOwnResultCap ?? false,
    undo:
      spec.undo ?? (access === 'read' || access === 'network' || spec.effects === undefined ? 'nothing' : 'impossible'),
    ...(spec.manual === undefined ? {} : { manual: spec.manual }),
    ...(spec.declined === undefined ? {} : { declined: (input) => spec.declined?.(parse(input)) ?? '' }),
    async effects(input, context) {
      try {
        if (spec.effects !== undefined) return await spec.effects(parse(input), context);
        return { access: [{ class: access === 'write' ? 'write' : 'read', kind: 'app' }] };
      } catch (error) {
        if (error instanceof AccessDenied || error instanceof ToolFailure) throw error;
        throw new ToolFailure(`${failurePrefix}${errorMessage(error)}`, { cause: error });
      }
    },
    async execute(input, context) {
      try {
        return { text: await spec.execute(parse(input), context), isError: false };
      } catch (error) {
        const outcome = failureOutcome(error, context.signal);
        if (error instanceof AccessDenied || error instanceof ToolFailure)
          return { text: error.message, isError: true, ...outcome };
        return { text: `${failurePrefix}${errorMessage(error)}`, isError: true, ...outcome };
      }
    },
  };
}

/** What stands before the message of an error that nothing more specific has named (tool catalogue A.7). */
export function unexpectedFailurePrefix(toolName: string): string {
  return `Error executing tool "${toolName}": `;
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    // That names are strings goes without saying in JSON.
    override: ({ jsonSchema }) => {
      if (JSON.stringify(jsonSchema.propertyNames) === '{"type":"string"}') delete jsonSchema.propertyNames;
    },
  });
  return rest;
}
