import { REDACTED } from './redaction.ts';

/**
 * A text without these values. Each stretch covered by one value, or by several that overlap, becomes one placeholder.
 * The order of the values does not matter.
 */
export function withoutValues(text: string, values: readonly string[]): string {
  let kept = '';
  let at = 0;
  for (const { start, end } of stretchesOf(text, values)) {
    kept += text.slice(at, start) + REDACTED;
    at = end;
  }
  return at === 0 ? text : kept + text.slice(at);
}

/**
 * The same for a text that comes in pieces, split anywhere: what may be the beginning of a value is held back until the
 * rest arrives.
 */
export class PiecewiseReplacement {
  readonly #values: readonly string[];
  readonly #longest: number;
  readonly #onText: (text: string) => void;
  #waiting = '';

  constructor(values: readonly string[], onText: (text: string) => void) {
    this.#values = values.filter((value) => value !== '');
    this.#longest = Math.max(0, ...this.#values.map(({ length }) => length));
    this.#onText = onText;
  }

  push(piece: string): void {
    const text = this.#waiting + piece;
    const complete = this.#completeIn(text);
    this.#waiting = text.slice(complete);
    this.#tell(text.slice(0, complete));
  }

  /** Call after the last piece. */
  end(): void {
    const rest = this.#waiting;
    this.#waiting = '';
    this.#tell(rest);
  }

  #tell(text: string): void {
    if (text !== '') this.#onText(withoutValues(text, this.#values));
  }

  /** The length of the text that no value still arriving can reach into. */
  #completeIn(text: string): number {
    let open = Math.max(0, text.length - this.#longest + 1);
    while (open < text.length && !this.#values.some((value) => beginsWithRest(value, text, open))) open++;
    if (open === text.length) return open;
    // The cut must not fall inside a stretch that may still grow either.
    const reaching = stretchesOf(text, this.#values).find(({ start, end }) => start < open && open < end);
    return reaching?.start ?? open;
  }
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

function stretchesOf(text: string, values: readonly string[]): readonly Stretch[] {
  const found = values.flatMap((value) => occurrencesOf(value, text)).sort((a, b) => a.start - b.start);
  const merged: Stretch[] = [];
  for (const next of found) {
    const last = merged.at(-1);
    if (last === undefined || next.start >= last.end) merged.push(next);
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, next.end) };
  }
  return merged;
}

function occurrencesOf(value: string, text: string): readonly Stretch[] {
  const found: Stretch[] = [];
  if (value === '') return found;
  for (let start = text.indexOf(value); start !== -1; start = text.indexOf(value, start + 1))
    found.push({ start, end: start + value.length });
  return found;
}

function beginsWithRest(value: string, text: string, from: number): boolean {
  // Most values differ in their first character; comparing that first avoids a substring.
  return value.charCodeAt(0) === text.charCodeAt(from) && value.startsWith(text.slice(from));
}
