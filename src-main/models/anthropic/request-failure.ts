import type { ModelError } from '../provider.ts';

/** A failed request: an error text that a person can act on, and whether a retry may help. */
export interface RequestFailure {
  readonly error: ModelError;
  readonly isRetryable: boolean;
  /** The service rejects thinking blocks of the history, or the request's `thinking` parameter. */
  readonly refusesThinking: 'block' | 'parameter' | undefined;
}

export interface FailureContext {
  readonly model: string;
  /** For messages: `api.anthropic.com`. */
  readonly host: string;
  /** Used only to remove it from quoted texts. */
  readonly key: string | undefined;
  readonly now: () => number;
}

export function requestFailed(error: ModelError, isRetryable = false): RequestFailure {
  return { error, isRetryable, refusesThinking: undefined };
}
