import type { ServerProblem } from './server-problem.ts';

/**
 * The state of a connection. `off`: not started, or stopped. `needs-sign-in`: the server requires a sign-in. `failed` with
 * `retryAt`: the next try (milliseconds since 1970); without: the user has to act.
 */
export type ServerState =
  | { readonly name: 'off' }
  | { readonly name: 'starting' }
  | { readonly name: 'ready'; readonly since: number }
  | { readonly name: 'needs-sign-in' }
  | { readonly name: 'failed'; readonly problem: ServerProblem; readonly retryAt?: number }
  | { readonly name: 'stopping' };

/** Delays between tries; after the last one the user has to restart the server. Source: tool catalogue C.1. */
const BACK_OFF_MS = [1_000, 2_000, 4_000];
/** A connection that lasted this long resets the tries. */
const STEADY_MS = 60_000;

/** Counts the tries of one connection. */
export class BackOff {
  #tries = 0;

  /** Milliseconds until the next try; `undefined` if there is none. */
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
