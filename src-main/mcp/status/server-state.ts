import type { ServerProblem } from './server-problem.ts';

/**
 * The state of a connection. It is `off` if it was not started, or was stopped. With `listing-failed`, the server is
 * connected but could not list its tools; everything else of it can be used. With `needs-sign-in`, the server requires
 * a sign-in. `retryAt` is the next try (milliseconds since 1970); if it is absent, the user has to act.
 */
export type ServerState =
  | { readonly name: 'off' }
  | { readonly name: 'starting' }
  | { readonly name: 'ready'; readonly since: number }
  | {
      readonly name: 'listing-failed';
      readonly since: number;
      readonly problem: ServerProblem;
      readonly retryAt?: number;
    }
  | { readonly name: 'needs-sign-in' }
  | { readonly name: 'failed'; readonly problem: ServerProblem; readonly retryAt?: number }
  | { readonly name: 'stopping' };

export function isConnected(
  state: ServerState,
): state is Extract<ServerState, { readonly name: 'ready' | 'listing-failed' }> {
  return state.name === 'ready' || state.name === 'listing-failed';
}

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
