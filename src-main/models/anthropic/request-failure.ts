import type { ModelError } from '../provider.ts';

/** What went wrong with a request, in words a person can act on, and whether sending it again may help. */
export interface RequestFailure {
  readonly error: ModelError;
  readonly isRetryable: boolean;
  /** The service refuses thinking blocks of the history, or the request's `thinking` parameter. */
  readonly refusesThinking: 'block' | 'parameter' | undefined;
}

export interface FailureContext {
  readonly model: string;
  /** For messages: `api.anthropic.com`. */
  readonly host: string;
  /** Only to take it out of quoted texts. */
  readonly key: string | undefined;
  readonly now: () => number;
}

export function requestFailed(error: ModelError, isRetryable = false): RequestFailure {
  return { error, isRetryable, refusesThinking: undefined };
}
