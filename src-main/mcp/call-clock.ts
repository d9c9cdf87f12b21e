/** The SDK's limit of a call. Source: tool catalogue C.4. */
export const CALL_TIMEOUT_SECONDS = 60;
/** A tool that has a limit of its own is given this much longer. */
const LONGER_THAN_ITS_OWN_SECONDS = 30;
const LONGEST_SECONDS = 86_400;

/** Seconds that a call may take without a sign of progress: a `timeout_seconds` among its arguments raises the server's limit. */
export function callTimeoutSeconds(input: Readonly<Record<string, unknown>>, configured: number): number {
  const asked = input.timeout_seconds;
  if (typeof asked !== 'number' || !Number.isFinite(asked)) return configured;
  return Math.min(Math.max(configured, asked + LONGER_THAN_ITS_OWN_SECONDS), LONGEST_SECONDS);
}

/** The time limit of one call. Progress begins it anew, and it stands still while a person is asked for something. */
export class CallClock {
  readonly #limitMs: number;
  readonly #runOut = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #leftMs: number;
  #startedAt = 0;
  #pauses = 0;
  #isOver = false;

  constructor(limitSeconds: number) {
    this.#limitMs = limitSeconds * 1_000;
    this.#leftMs = this.#limitMs;
    this.#start();
  }

  /** Aborted when the time has run out. */
  get signal(): AbortSignal {
    return this.#runOut.signal;
  }

  /** A sign of life. */
  beginAnew(): void {
    this.#leftMs = this.#limitMs;
    if (this.#pauses === 0) this.#start();
  }

  /** Stands still until what is returned is called; several may hold it. */
  pause(): () => void {
    if (this.#pauses++ === 0) {
      clearTimeout(this.#timer);
      this.#leftMs -= performance.now() - this.#startedAt;
    }
    let isHeld = true;
    return () => {
      if (isHeld && --this.#pauses === 0) this.#start();
      isHeld = false;
    };
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #start(): void {
    clearTimeout(this.#timer);
    if (this.#isOver) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.#runOut.abort(), Math.max(0, this.#leftMs));
  }
}
