/** One frame at 60 Hz: faster updates can't be seen. */
const FRAME_MS = 16;

/**
 * Delivers the first item immediately, and all further ones within a frame as one batch, in order. If `handOver`
 * throws, the caller of `push` gets the error; at the end of a frame it is lost, so callers that care must catch it
 * themselves.
 */
export class FrameBatch<Item> {
  readonly #handOver: (items: readonly Item[]) => void;
  #pending: Item[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(handOver: (items: readonly Item[]) => void) {
    this.#handOver = handOver;
  }

  push(item: Item): void {
    this.#pending.push(item);
    if (this.#timer === undefined) this.#endFrame();
  }

  /** Returns the items that were not delivered yet. */
  take(): readonly Item[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#pending.splice(0);
  }

  /** Hands over now. */
  flush(): void {
    const items = this.take();
    if (items.length > 0) this.#handOver(items);
  }

  #endFrame(): void {
    this.#timer = undefined;
    if (this.#pending.length === 0) return;
    this.#timer = setTimeout(() => this.#endFrame(), FRAME_MS);
    this.#handOver(this.#pending.splice(0));
  }
}
