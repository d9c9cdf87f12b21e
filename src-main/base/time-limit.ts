/** A time limit that stands still while the user is being asked. */
export class TimeLimit {
  readonly #runOut = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #leftMs: number;
  #startedAt = 0;

  constructor(limitMs: number) {
    this.#leftMs = limitMs;
    this.#start();
  }

  /** Aborts when the time is up. */
  get signal(): AbortSignal {
    return this.#runOut.signal;
  }

  async whileStopped<T>(work: () => Promise<T>): Promise<T> {
    this.stop();
    this.#leftMs -= performance.now() - this.#startedAt;
    try {
      return await work();
    } finally {
      this.#start();
    }
  }

  /** Permanently, unless it is stopped for some work. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #start(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.#runOut.abort(), Math.max(0, this.#leftMs));
  }
}
