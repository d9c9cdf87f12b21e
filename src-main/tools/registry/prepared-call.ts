import { errorMessage } from '../../base/errors.ts';
import type { CallEffects } from '../../policy/access.ts';
import type { Allowed } from '../../policy/gate.ts';
import { PLACEHOLDER_REFUSED, writesPlaceholder } from '../../policy/placeholder-writes.ts';
import { AccessDenied } from '../../policy/roots.ts';
import {
  type AssessContext,
  type AssessedCall,
  failureDetails,
  type Tool,
  type ToolCall,
  type ToolContext,
  ToolFailure,
  type ToolInput,
  type ToolResult,
  unexpectedFailurePrefix,
} from '../contract.ts';
import type { GroupOpening } from './group-opening.ts';

/** What the registry adds around a call. */
export interface CallEdge {
  /** The error text with secrets removed. */
  redacted(text: string): string;
  /** Called for each call that is executed. */
  onUse(tool: Tool): void;
}

export type Preparation =
  | { readonly ok: true; readonly call: PreparedCall }
  /**
   * `text` is the call's whole result; nothing may run. `tool` is set if the name was recognised. `opening` is set if
   * the call opens the tool's group all the same; its text then comes first.
   */
  | { readonly ok: false; readonly tool?: Tool; readonly text: string; readonly opening?: GroupOpening };

/** A call whose input its tool accepted. Contains all faults of the tool. */
export class PreparedCall {
  readonly tool: Tool;
  /** Validated; this is what the user is shown, and what their answer is bound to. */
  readonly input: ToolInput;
  readonly #call: ToolCall;
  readonly #edge: CallEdge;
  /** Only this call can execute what was assessed, and only after the gate allowed it. */
  readonly #assessed = new WeakMap<CallEffects, AssessedCall>();

  /** Throws what the tool's own `prepare` throws. */
  constructor(tool: Tool, input: ToolInput, edge: CallEdge) {
    this.tool = tool;
    this.input = input;
    this.#call = tool.prepare(input);
    this.#edge = edge;
  }

  /** The whole result of the call if it is not allowed. Undefined if the tool has no answer of its own. */
  get declinedText(): string | undefined {
    return this.#call.declinedText;
  }

  /** What it would touch now. Rejects only with `AccessDenied` or `ToolFailure`, whose text is the result. */
  async assess(context: AssessContext): Promise<CallEffects> {
    try {
      const assessed = await this.#call.assess(context);
      if (writesPlaceholder(this.input, assessed)) throw new ToolFailure(PLACEHOLDER_REFUSED);
      const { execute: _, ...effects } = assessed;
      this.#assessed.set(effects, assessed);
      return effects;
    } catch (error) {
      if (error instanceof AccessDenied) throw error;
      throw new ToolFailure(this.#errorText(error), { cause: error });
    }
  }

  /** Executes exactly what was allowed. Never rejects. */
  async execute(
    { approved, by: allowedBy }: Allowed<CallEffects>,
    context: Omit<ToolContext, 'allowedBy'>,
  ): Promise<ToolResult> {
    const assessed = this.#assessed.get(approved);
    if (assessed === undefined) throw new TypeError('The permission belongs to another call');
    try {
      this.#edge.onUse(this.tool);
      const result = await assessed.execute({ ...context, allowedBy });
      return result.isError ? { ...result, text: this.#edge.redacted(result.text) } : result;
    } catch (error) {
      const text = this.#edge.redacted(`${unexpectedFailurePrefix(this.tool.name)}${errorMessage(error)}`);
      return { text, isError: true, ...failureDetails(error, context.signal) };
    }
  }

  #errorText(error: unknown): string {
    const isOwnText = error instanceof ToolFailure;
    const text = isOwnText ? error.message : `${unexpectedFailurePrefix(this.tool.name)}${errorMessage(error)}`;
    return this.#edge.redacted(text);
  }
}
