import type { ToolUseBlock } from '../../../src-preload/contract/content-blocks.ts';
import { exactJson } from '../../../src-preload/contract/exact-json.ts';
import { checkBoundedValue, MAX_INPUT_LENGTH, parseBoundedInput } from '../../base/bounded-json.ts';
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { firstCharacters, grouped } from '../../base/text.ts';
import { ModelError } from '../provider.ts';

const MAX_NAME_LENGTH = 256;
/** The limit is this high because some gateways put a signature into the id. */
const MAX_ID_LENGTH = 65_536;
/** The beginning of an unusable input, kept for the export. */
const KEPT_RAW_CHARACTERS = 20_000;

/** A tool call whose input arrives as pieces of JSON. */
export class StreamedInput {
  readonly #id: string;
  readonly #name: string;
  readonly #given: unknown;
  #json = '';

  /** `given` is the input, if nothing will be streamed. Throws `ModelError` if there is no id or no name. */
  constructor(id: string | undefined, name: string | undefined, given?: unknown) {
    if (!id || !name) {
      throw new ModelError('bad_answer', 'The model sent a tool call without an id or a name. Try again.');
    }
    if (name.length > MAX_NAME_LENGTH || id.length > MAX_ID_LENGTH) {
      throw new ModelError(
        'bad_answer',
        'The model sent a tool call with an id or a name that is too long. Try again.',
      );
    }
    this.#id = id;
    this.#name = name;
    this.#given = given;
  }

  /** Once the input is too long, nothing more of it is kept. */
  add(piece: string): void {
    if (this.#json.length <= MAX_INPUT_LENGTH) this.#json += piece;
  }

  /** Whether no input came. */
  get isBlank(): boolean {
    return this.#given === undefined && this.#json.trim() === '';
  }

  /**
   * `isCut` says that the answer ended before its time. A call without input then is not one that wants none: its input
   * may have been next.
   */
  finish(isCut = false): ToolUseBlock {
    const call = { type: 'tool_use', id: this.#id, name: this.#name } as const;
    if (isCut && this.isBlank)
      return { ...call, input: {}, invalidInput: { raw: '', reason: 'the answer was cut off before it' } };
    try {
      return { ...call, input: inputOf(this.#json, this.#given) };
    } catch (error) {
      const raw = firstCharacters(this.#json, KEPT_RAW_CHARACTERS);
      return { ...call, input: {}, invalidInput: { raw, reason: errorMessage(error) } };
    }
  }
}

/** Throws an error with the reason if the call has no usable input. */
function inputOf(json: string, given: unknown): Readonly<Record<string, unknown>> {
  const value = json.trim() === '' ? boundedValue(given ?? {}) : parseBoundedInput(json);
  if (isRecord(value)) return value;
  const kind = Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`;
  throw new Error(`expected a JSON object, got ${kind}`);
}

/** Applies the same limits to an input that was parsed with the answer. */
function boundedValue(value: unknown): unknown {
  checkBoundedValue(value);
  const { length } = exactJson(value);
  if (length > MAX_INPUT_LENGTH)
    throw new Error(`longer than ${grouped(MAX_INPUT_LENGTH)} characters (it has ${grouped(length)})`);
  return value;
}

/**
 * Makes a tool call whose input arrives at once; some gateways send it as the text of its JSON. Throws `ModelError` if
 * it has no name.
 */
export function wholeCall(id: string, name: string | undefined, input: unknown): ToolUseBlock {
  const call = new StreamedInput(id, name, typeof input === 'string' ? undefined : input);
  if (typeof input === 'string') call.add(input);
  return call.finish();
}
