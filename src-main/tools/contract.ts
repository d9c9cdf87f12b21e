import { z } from 'zod';
import type { AccessClass, CallEffects } from '../policy/access.ts';
import type { Mark } from '../storage/events.ts';
import type { ProcessRunner } from './shell/process-runner.ts';
import type { WorkspaceFiles } from './files/workspace-files.ts';

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
  /** Required parameters for which the empty string is a value. */
  readonly emptyAllowed: readonly string[];
  /** Texts that replace the generic `{prefix}{param} is required`. */
  readonly requiredTexts: Readonly<Record<string, string>>;
  /** Has its own documented cap on the result's length and is exempt from the global one. */
  readonly hasOwnResultCap: boolean;
  readonly undo: Undo;
  /** What exactly this call would touch. May refuse the call by throwing `ToolFailure`. */
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
