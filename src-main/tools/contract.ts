import { z } from 'zod';
import type { AccessClass, CallEffects } from '../policy/access.ts';
import { AccessDenied } from '../policy/roots.ts';
import type { Mark } from '../storage/events.ts';
import { errorMessage } from './error-message.ts';
import type { WorkspaceFiles } from './files/workspace-files.ts';
import type { BackgroundShells } from './shell/background-shells.ts';
import type { ProcessRunner } from './shell/process-runner.ts';

/**
 * The tool contract. A tool is data plus one function; everything it touches comes in through its context.
 * Source: tool catalogue A.1.
 */
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}

/** JSON Schema (draft 2020-12) of a tool's input; the root's type is "object". */
export type JsonSchema = Readonly<Record<string, unknown>>;

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
  readonly fetch: typeof fetch;
  /** Says what kind of text the result puts into the context. Called by tools whose results carry it. */
  readonly mark: (mark: Mark) => void;
  /** Output while the call runs, for a live card. Never needed for the result. */
  readonly onOutput?: (chunk: string) => void;
}

/** How a call can be taken back. */
export type Undo = 'before-image' | 'none';

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
  /** What exactly this call would touch. Rejects only with `AccessDenied` or `ToolFailure`: then the call is refused. */
  effects(input: Readonly<Record<string, unknown>>, context: ToolContext): Promise<CallEffects>;
  /** Never rejects for a failure of the tool. */
  execute(input: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult>;
}

/** Ends a call with this exact text as its (error) result. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
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
  readonly undo?: Undo;
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
    undo: spec.undo ?? 'none',
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
        if (error instanceof AccessDenied || error instanceof ToolFailure)
          return { text: error.message, isError: true };
        return { text: `${failurePrefix}${errorMessage(error)}`, isError: true };
      }
    },
  };
}

/** What stands before the message of an error that nothing more specific has named (tool catalogue A.7). */
export function unexpectedFailurePrefix(toolName: string): string {
  return `Error executing tool "${toolName}": `;
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}
