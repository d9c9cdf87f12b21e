import { z } from 'zod';
import { errorMessage } from '../base/errors.ts';
import type { AccessClass, CallEffects } from '../policy/access.ts';
import { AccessDenied } from '../policy/roots.ts';
import {
  type AssessContext,
  failureDetails,
  type JsonSchema,
  type Tool,
  type ToolCall,
  type ToolContext,
  ToolFailure,
  type ToolInput,
  type ToolManual,
  type ToolResult,
  type Undo,
  unexpectedFailurePrefix,
} from './contract.ts';
import type { ToolWords } from './words/tool-words.ts';

/** What a call would touch, and the tool's plan for doing it: real paths, the change, an argv, a request. */
export interface Assessment<Plan> extends CallEffects {
  /** Passed unchanged to `execute` once it is allowed. */
  readonly plan: Plan;
}

type Parsed<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** A built-in tool as its file declares it. */
export interface ToolDeclaration<Shape extends z.ZodRawShape, Plan> {
  readonly name: string;
  readonly description: string;
  readonly access: AccessClass;
  readonly input: z.ZodObject<Shape>;
  /** The parameters that mean something only where commands can be held in a sandbox. */
  readonly sandboxParameters?: readonly (keyof Shape & string)[];
  readonly aliases?: Readonly<Record<string, keyof Shape & string>>;
  readonly nameAliases?: readonly string[];
  readonly errorPrefix?: string;
  readonly emptyAllowed?: readonly (keyof Shape & string)[];
  readonly requiredTexts?: Readonly<Partial<Record<keyof Shape & string, string>>>;
  /** See `Tool`. */
  readonly strictParameters?: readonly (keyof Shape & string)[];
  /** See `Tool`. */
  readonly longest?: Readonly<Partial<Record<keyof Shape & string, number>>>;
  readonly refusesUnknown?: true;
  readonly hasOwnResultCap?: boolean;
  /**
   * Without this, it is `nothing` for a tool that only reads or stays within the app's own store, and `impossible` for
   * any other.
   */
  readonly undo?: Undo;
  readonly manual?: ToolManual;
  /** The words for people in cards, questions and settings. */
  readonly words: ToolWords<keyof Shape & string>;
  readonly reasonParameters?: readonly (keyof Shape & string)[];
  /** See `Tool`. */
  readonly asks?: string;
  /** Replaces the text of a call that was not allowed. */
  declined?(input: Parsed<Shape>): string;
  /**
   * What the call would touch. Must not change anything, and may run several times before the call is allowed. May be
   * left out by a tool that only reads: then nothing outside the app is touched, and the plan is the input.
   */
  assess?(input: Parsed<Shape>, context: AssessContext): Promise<Assessment<Plan>>;
  /**
   * Carries out the plan. What is returned is a success, at least in part; failures are thrown as `ToolFailure` or
   * anything else.
   */
  execute(plan: Plan, context: ToolContext): Promise<string | Pick<ToolResult, 'text' | 'remedies'>>;
}

/**
 * Makes a registry tool from a declaration. The JSON Schema is generated from the zod schema at first use. What
 * `assess` and `execute` throw becomes an error result: `ToolFailure` and `AccessDenied` with their own text, anything
 * else as `{errorPrefix}{message}`, or `Error executing tool "{name}": {message}` for a tool without its own prefix
 * (tool catalogue A.6, A.7).
 */
export function defineTool<Shape extends z.ZodRawShape, Plan = Parsed<Shape>>(
  declaration: ToolDeclaration<Shape, Plan>,
): Tool {
  const { name, access } = declaration;
  if (declaration.assess === undefined && access !== 'read') {
    throw new TypeError(`Tool ${name} is of class ${access}: it must declare the effects of each call (assess)`);
  }
  const errorPrefix = declaration.errorPrefix ?? 'Error: ';
  const failurePrefix = declaration.errorPrefix ?? unexpectedFailurePrefix(name);
  const changesNothing = access === 'read' || access === 'network' || declaration.assess === undefined;
  let inputSchema: JsonSchema | undefined;
  let schemaWithoutSandbox: JsonSchema | undefined;

  const parse = (input: ToolInput): Parsed<Shape> => {
    const parsed = declaration.input.safeParse(input);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    throw new ToolFailure(`${errorPrefix}${issue?.path.join('.') ?? 'input'}: ${issue?.message ?? 'is not valid'}`);
  };

  const assess = async (input: Parsed<Shape>, context: AssessContext): Promise<Assessment<Plan>> => {
    if (declaration.assess !== undefined) return declaration.assess(input, context);
    // If `assess` is absent, `Plan` can only be inferred from its default, the parsed input.
    return { access: [{ class: 'read', kind: 'app' }], plan: input as Plan };
  };

  const prepare = (given: ToolInput): ToolCall => {
    const input = parse(given);
    return {
      declinedText: declaration.declined?.(input),
      async assess(context) {
        try {
          const { plan, ...effects } = await assess(input, context);
          return { ...effects, execute: (running) => execute(plan, running) };
        } catch (error) {
          if (error instanceof AccessDenied || error instanceof ToolFailure) throw error;
          throw new ToolFailure(`${failurePrefix}${errorMessage(error)}`, { cause: error });
        }
      },
    };
  };

  const execute = async (plan: Plan, context: ToolContext) => {
    try {
      const result = await declaration.execute(plan, context);
      return { ...(typeof result === 'string' ? { text: result } : result), isError: false };
    } catch (error) {
      const isOwnText = error instanceof AccessDenied || error instanceof ToolFailure;
      const text = isOwnText ? error.message : `${failurePrefix}${errorMessage(error)}`;
      return { text, isError: true, ...failureDetails(error, context.signal) };
    }
  };

  return {
    name,
    description: declaration.description,
    access,
    get inputSchema() {
      inputSchema ??= jsonSchemaOf(declaration.input);
      return inputSchema;
    },
    get schemaWithoutSandbox() {
      const { sandboxParameters = [] } = declaration;
      schemaWithoutSandbox ??=
        sandboxParameters.length === 0 ? this.inputSchema : without(this.inputSchema, sandboxParameters);
      return schemaWithoutSandbox;
    },
    parameterAliases: declaration.aliases ?? {},
    nameAliases: declaration.nameAliases ?? [],
    errorPrefix,
    emptyAllowed: declaration.emptyAllowed ?? [],
    requiredTexts: (declaration.requiredTexts ?? {}) as Readonly<Record<string, string>>,
    ...(declaration.strictParameters === undefined ? {} : { strictParameters: declaration.strictParameters }),
    ...(declaration.longest === undefined ? {} : { longest: declaration.longest as Readonly<Record<string, number>> }),
    ...(declaration.refusesUnknown === undefined ? {} : { refusesUnknown: declaration.refusesUnknown }),
    hasOwnResultCap: declaration.hasOwnResultCap ?? false,
    undo: declaration.undo ?? (changesNothing ? 'nothing' : 'impossible'),
    ...(declaration.manual === undefined ? {} : { manual: declaration.manual }),
    words: declaration.words,
    ...(declaration.reasonParameters === undefined ? {} : { reasonParameters: declaration.reasonParameters }),
    asksModel: declaration.asks !== undefined,
    ...(declaration.asks === undefined ? {} : { asks: declaration.asks }),
    prepare,
  };
}

function without(schema: JsonSchema, parameters: readonly string[]): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !parameters.includes(name));
  return { ...schema, properties: Object.fromEntries(properties) };
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    // In JSON, property names are always strings.
    override: ({ jsonSchema }) => {
      if (JSON.stringify(jsonSchema.propertyNames) === '{"type":"string"}') delete jsonSchema.propertyNames;
    },
  });
  return rest;
}
