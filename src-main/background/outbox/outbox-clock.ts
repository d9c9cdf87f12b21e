/**
 * The wait of one mail. Its clock can be stopped while the user decides about the mail; `onOver` is called once, unless
 * the wait ended before.
 */
export class OutboxClock {
  readonly #onOver: () => void;
  #leftMs: number;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(waitMs: number, onOver: () => void) {
    this.#leftMs = waitMs;
    this.#onOver = onOver;
  }

  /** Starts or continues. Gives what is left, in ms. */
  run(): number {
    this.stop();
    this.#since = Date.now();
    this.#timer = setTimeout(this.#onOver, this.#leftMs);
    return this.#leftMs;
  }

  stop(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs = Math.max(0, this.#leftMs - (Date.now() - this.#since));
  }
}
