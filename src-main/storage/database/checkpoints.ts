/** About 4 MB of write-ahead log at the usual size of events, like SQLite's own default. */
const EVERY_APPENDS = 2_000;
export const BYTES_PER_APPEND = 2_048;

/**
 * Triggers checkpoints of the write-ahead log from time to time, off the main thread, so that no append waits for the
 * disk. If one fails, the next one makes up for it, at the latest SQLite's own at a much larger log.
 */
export class Checkpoints {
  readonly #checkpoint: () => Promise<unknown>;
  #appended = 0;

  constructor(checkpoint: () => Promise<unknown>) {
    this.#checkpoint = checkpoint;
  }

  /** `appends` is the number of events of usual size. */
  logGrew(appends = 1): void {
    const rounds = Math.floor(this.#appended / EVERY_APPENDS);
    this.#appended += appends;
    if (Math.floor(this.#appended / EVERY_APPENDS) === rounds) return;
    // A missed checkpoint loses nothing, so the error needs no report.
    this.#checkpoint().catch(() => undefined);
  }
}
