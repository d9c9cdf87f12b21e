/** One frame at 60 Hz: a faster cadence cannot be seen. */
const FRAME_MS = 16;

/**
 * Hands over at once what comes alone, and together, in order, what comes within a frame of it. What `handOver` throws reaches
 * whoever pushes, or, at the end of a frame, nobody: a caller to whom that matters catches it there.
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

  /** What was not handed over yet, for the caller to deal with. */
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
