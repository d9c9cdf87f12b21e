import { getContext, setContext } from 'svelte';

/** Longer than this, a text starts folded: to draw it whole and to page through it would take too long. */
const WHOLE_LINES = 200;
const WHOLE_CHARACTERS = 12_000;

export function isTooLong(text: string): boolean {
  if (text.length > WHOLE_CHARACTERS) return true;
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines > WHOLE_LINES;
}

export function areTooMany(lines: readonly unknown[]): boolean {
  return lines.length > WHOLE_LINES;
}

/** Opens the text, or goes on in it. */
type ReadOn = () => void;

/** The folded texts of a card that must be opened and read before it can be allowed. */
export class LongTexts {
  readonly #unread = new Map<symbol, ReadOn>();
  readonly #onRead: () => void;

  constructor(onRead: () => void) {
    this.#onRead = onRead;
  }

  get areRead(): boolean {
    return this.#unread.size === 0;
  }

  readOn(): void {
    const [first] = this.#unread.values();
    first?.();
  }

  /** Returns what ends it: the text was read, or it is gone. */
  add(readOn: ReadOn): () => void {
    const text = Symbol();
    this.#unread.set(text, readOn);
    return () => {
      if (this.#unread.delete(text)) this.#onRead();
    };
  }
}

const KEY = Symbol();

/** Provides the texts to everything below. Undefined means texts that need not be read. */
export function provideLongTexts(texts: LongTexts | undefined): void {
  setContext(KEY, texts);
}

export function nearestLongTexts(): LongTexts | undefined {
  return getContext<LongTexts | undefined>(KEY);
}
