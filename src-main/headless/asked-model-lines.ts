import type { EventOf } from '../../src-preload/contract/events.ts';
import { exactJson } from '../../src-preload/contract/exact-json.ts';
import { firstCharacters } from '../base/text.ts';

/** A value is cut to this length. Source: tool catalogue E, "display". */
const MAX_VALUE_LENGTH = 60;
const KEPT_OF_LONGER = 57;

/**
 * Calls of `ask_{provider}` on the terminal, with what happens inside them indented: the call by two blanks, its result
 * by four, the answer by two. Where calls overlap, the lines that they belong to are repeated.
 */
export class AskedModelLines {
  readonly #headers = new Map<string, string>();
  readonly #nested = new Map<string, { readonly outer: string; readonly line: string }>();
  /** The call of the last line without indentation, and of the last one below it. */
  #outer = '';
  #inner = '';

  call({ id, name, input, inside }: EventOf<'tool_call'>): readonly string[] {
    if (inside === undefined) {
      const values = Object.entries(input).map(([key, value]) => `${key}=${exactJson(shown(value))}`);
      this.#headers.set(id, `${name}(${values.join(', ')})`);
      return this.#within(id);
    }
    this.#nested.set(id, { outer: inside, line: `  ${name}(${shown(input)})` });
    return this.#at(id);
  }

  knows(id: string): boolean {
    return this.#headers.has(id) || this.#nested.has(id);
  }

  result({ id, text }: EventOf<'tool_result'>): readonly string[] {
    return this.below(id, shown(text));
  }

  /** A line about a call, below it. */
  below(id: string, line: string): readonly string[] {
    return this.#headers.has(id) ? [...this.#within(id), `  ${line}`] : [...this.#at(id), `    ${line}`];
  }

  #within(id: string): readonly string[] {
    const header = this.#headers.get(id);
    if (header === undefined || this.#outer === id) return [];
    this.#outer = id;
    this.#inner = '';
    return [header];
  }

  #at(id: string): readonly string[] {
    const call = this.#nested.get(id);
    if (call === undefined) return [];
    const header = this.#within(call.outer);
    if (this.#inner === id) return header;
    this.#inner = id;
    return [...header, call.line];
  }
}

/** The value on one line. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : exactJson(value);
  const line = text.trim().replace(/\s+/gu, ' ');
  return line.length <= MAX_VALUE_LENGTH ? line : `${firstCharacters(line, KEPT_OF_LONGER)}...`;
}
