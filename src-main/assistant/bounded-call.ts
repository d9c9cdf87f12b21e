import type { ToolUseBlock } from '../../src-preload/contract/content-blocks.ts';
import { checkBoundedValue } from '../base/bounded-json.ts';
import { errorMessage } from '../base/errors.ts';

/** A call of a tool, from a model or a user. */
export interface RequestedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly invalidInput?: ToolUseBlock['invalidInput'];
  /** The model's text before the call in the same message. */
  readonly said?: string;
}

/**
 * A call as received from the provider. If its input is too large to process, the input is left out, with the reason.
 */
export function boundedCall(call: ToolUseBlock): ToolUseBlock {
  try {
    checkBoundedValue(call.input);
    return call;
  } catch (error) {
    return { ...call, input: {}, invalidInput: { raw: '', reason: errorMessage(error) } };
  }
}
