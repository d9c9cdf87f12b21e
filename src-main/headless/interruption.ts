import type { Writable } from 'node:stream';
import { INTERRUPTED_EXIT_CODE } from './exit-codes.ts';

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Stops the turn on the first Ctrl-C (or TERM, HUP, or when the answer can no longer be written); a second one ends the
 * process at once. What was printed is committed either way.
 */
export class Interruption {
  /** Why the answer could not be written, unless its reader has just gone away. */
  outputFailure: Error | undefined;
  readonly #controller = new AbortController();

  constructor(stdout: Writable) {
    for (const name of SIGNALS) process.on(name, this.#onSignal);
    stdout.on('error', this.#onOutputError);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    for (const name of SIGNALS) process.off(name, this.#onSignal);
    // The listener for stdout stays: a reader may leave while the last line is on its way.
  }

  readonly #onSignal = (): void => {
    if (this.#controller.signal.aborted) process.exit(INTERRUPTED_EXIT_CODE);
    this.#controller.abort(new Error('stopped by the user'));
  };

  readonly #onOutputError = (error: NodeJS.ErrnoException): void => {
    // A broken stream emits an error again at every later write.
    if (error.code !== 'EPIPE' && !this.#controller.signal.aborted) this.outputFailure = error;
    this.#controller.abort(new Error('The output can no longer be written'));
  };
}
