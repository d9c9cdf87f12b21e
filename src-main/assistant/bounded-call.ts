import type { ToolUseBlock } from '../../src-preload/contract/content-blocks.ts';
import { checkBoundedValue } from '../base/bounded-json.ts';
import { errorMessage } from '../base/errors.ts';

/** A call as its provider gave it; one whose input is too much for all that comes after has none, and says why. */
export function boundedCall(call: ToolUseBlock): ToolUseBlock {
  try {
    checkBoundedValue(call.input);
    return call;
  } catch (error) {
    return { ...call, input: {}, invalidInput: { raw: '', reason: errorMessage(error) } };
  }
}
