/** One frame at 60 Hz: faster updates can't be seen. */
const FRAME_MS = 16;

/**
 * Hands over the first item at once, and what follows within a frame as one batch, in order. What `handOver` throws reaches
 * the caller of `push`; at the end of a frame it is lost, so callers that care catch it themselves.
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

  /** Returns what was not handed over yet. */
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
