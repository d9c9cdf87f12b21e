import { REDACTED } from './redaction.ts';
import { type SearchState, ValueSearch } from './value-search.ts';

/** More, in UTF-16 units, are not looked for; no set of keys is that long. */
export const MAX_SEARCHED = 500_000;

/** Takes the place of a text in which not all values could be looked for. */
export const WITHHELD =
  '[withheld: the .env files here hold more values than Steward can look for, so it could not take them out of this text]';

/**
 * Replaces values in texts. Each stretch covered by one value, or by several that overlap, becomes one placeholder. The
 * order of the values does not matter.
 */
export class ValueReplacement {
  /** Undefined if there are too many values; texts are then withheld. */
  readonly #search: ValueSearch | undefined;

  /** `values` are undefined if they are too many to be known. */
  constructor(values: readonly string[] | undefined) {
    const length = values?.reduce((sum, value) => sum + value.length, 0) ?? Number.POSITIVE_INFINITY;
    this.#search = values === undefined || length > MAX_SEARCHED ? undefined : new ValueSearch(values);
  }

  get withholds(): boolean {
    return this.#search === undefined;
  }

  apply(text: string): string {
    const pieces: string[] = [];
    const live = this.live((piece) => pieces.push(piece));
    live.push(text);
    live.end();
    return pieces.join('');
  }

  /** Replaces values in a text that comes in pieces, split anywhere. */
  live(onText: (text: string) => void): PiecewiseReplacement {
    return new PiecewiseReplacement(this.#search, onText);
  }
}

/** What may be the beginning of a value is held back until the rest arrives. */
export class PiecewiseReplacement {
  readonly #search: ValueSearch | undefined;
  readonly #state: SearchState | undefined;
  readonly #onText: (text: string) => void;
  /** What was not told yet. */
  #waiting = '';
  /** The position of that in the whole text. */
  #told = 0;
  #isWithheld = false;

  constructor(search: ValueSearch | undefined, onText: (text: string) => void) {
    this.#search = search;
    this.#state = search?.start();
    this.#onText = onText;
  }

  push(piece: string): void {
    if (piece === '') return;
    if (this.#search === undefined || this.#state === undefined) {
      if (!this.#isWithheld) this.#onText(WITHHELD);
      this.#isWithheld = true;
      return;
    }
    this.#search.search(piece, this.#state);
    this.#waiting += piece;
    this.#tell(this.#state, this.#state.position - this.#search.open(this.#state));
  }

  /** Call after the last piece. */
  end(): void {
    if (this.#state !== undefined) this.#tell(this.#state, this.#state.position);
  }

  /** From `open` on, the text may be the beginning of a value. */
  #tell(state: SearchState, open: number): void {
    const from = this.#told;
    let ready = '';
    let at = from;
    let complete = 0;
    for (const { start, end } of state.found) {
      if (end > open) break;
      ready += this.#waiting.slice(at - from, Math.max(at, start) - from) + REDACTED;
      at = end;
      complete++;
    }
    state.found.splice(0, complete);
    // A stretch that reaches beyond may grow: it gets its placeholder once it has ended, and its text is not needed.
    const until = Math.min(open, Math.max(at, state.found[0]?.start ?? open));
    ready += this.#waiting.slice(at - from, until - from);
    this.#waiting = this.#waiting.slice(open - from);
    this.#told = open;
    if (ready !== '') this.#onText(ready);
  }
}
