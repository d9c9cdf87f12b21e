/** About 4 MB of write-ahead log at the usual size of events, as SQLite itself would have it. */
const EVERY_APPENDS = 2_000;
export const BYTES_PER_APPEND = 2_048;

/**
 * Has the write-ahead log moved into the database now and then, away from the main thread, so that no append waits for the
 * disk. One that fails is made good by the next, at the latest by SQLite's own at a much larger log.
 */
export class Checkpoints {
  readonly #checkpoint: () => Promise<unknown>;
  #appended = 0;

  constructor(checkpoint: () => Promise<unknown>) {
    this.#checkpoint = checkpoint;
  }

  /** `appends`: by how many events of usual size. */
  logGrew(appends = 1): void {
    const rounds = Math.floor(this.#appended / EVERY_APPENDS);
    this.#appended += appends;
    if (Math.floor(this.#appended / EVERY_APPENDS) === rounds) return;
    // Nothing is lost by a checkpoint that was not made, so there is nobody to tell.
    this.#checkpoint().catch(() => undefined);
  }
}
