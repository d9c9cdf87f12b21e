import { FrameBatch } from '../base/frame-batch.ts';

/** Commits text deltas, at most once a frame; the first one at once, so that the reader sees the answer begin. */
export class LiveText {
  readonly #deltas: FrameBatch<string>;
  #failure: unknown;

  constructor(commit: (text: string) => void) {
    this.#deltas = new FrameBatch((deltas) => {
      try {
        commit(deltas.join(''));
      } catch (error) {
        this.#failure = error;
      }
    });
  }

  /** Throws what a commit threw, an earlier, timed one too: a full disk must stop the turn. */
  push(text: string): void {
    this.#throwFailure();
    this.#deltas.push(text);
    this.#throwFailure();
  }

  /**
   * What is not committed yet, for the caller to commit with what follows. Throws as `push` does: what could not be
   * committed must not be passed over.
   */
  take(): string {
    this.#throwFailure();
    return this.#deltas.take().join('');
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}
