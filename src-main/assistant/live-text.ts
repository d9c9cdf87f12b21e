import { FrameBatch } from '../base/frame-batch.ts';

/** Commits text deltas at most once per frame; the first one immediately, so that the reader sees the answer start. */
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

  /** Throws errors of commits, including earlier timed ones: a full disk must stop the turn. */
  push(text: string): void {
    this.#throwFailure();
    this.#deltas.push(text);
    this.#throwFailure();
  }

  /**
   * Text that is not committed yet, for the caller to commit with the next event. Throws like `push`, because text that
   * could not be committed must not be skipped.
   */
  take(): string {
    this.#throwFailure();
    return this.#deltas.take().join('');
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}
