import type { ServerProblem } from './server-problem.ts';

/**
 * What a connection is doing. `off`: not started, or stopped. `needs-sign-in`: the server answered, and only to somebody it knows.
 * `failed` with `retryAt`: it is tried again then (milliseconds since 1970); without: a person has to do something.
 */
export type ServerState =
  | { readonly name: 'off' }
  | { readonly name: 'starting' }
  | { readonly name: 'ready'; readonly since: number }
  | { readonly name: 'needs-sign-in' }
  | { readonly name: 'failed'; readonly problem: ServerProblem; readonly retryAt?: number }
  | { readonly name: 'stopping' };

/** Waits after a failure; after the last one a person has to restart it. Source: tool catalogue C.1. */
const BACK_OFF_MS = [1_000, 2_000, 4_000];
/** Who was ready for this long has earned new tries. */
const STEADY_MS = 60_000;

/** Counts the tries of one connection. */
export class BackOff {
  #tries = 0;

  /** Milliseconds until the next try; `undefined`: there is none. */
  next(): number | undefined {
    return BACK_OFF_MS[this.#tries++];
  }

  wasReadyFor(ms: number): void {
    if (ms >= STEADY_MS) this.reset();
  }

  reset(): void {
    this.#tries = 0;
  }
}
