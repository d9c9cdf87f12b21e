/** Milliseconds without questions after one that was not answered with yes; doubled after each further one. */
const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 60 * 60_000;

/** Keeps programs from burying the user in pairing questions. It is pure; times are milliseconds of one clock. */
export class PairingPause {
  #until = Number.NEGATIVE_INFINITY;
  #pauseMs = FIRST_PAUSE_MS;

  /** How long no question is asked; 0: one may be. */
  remainingMs(now: number): number {
    return Math.max(0, this.#until - now);
  }

  /** Notes that the pairing was declined, or that the program left before the answer. */
  notPaired(now: number): void {
    this.#until = now + this.#pauseMs;
    this.#pauseMs = Math.min(2 * this.#pauseMs, MAX_PAUSE_MS);
  }

  /** A user said yes, or wants to be asked again. */
  reset(): void {
    this.#until = Number.NEGATIVE_INFINITY;
    this.#pauseMs = FIRST_PAUSE_MS;
  }
}
