import type { ModelError } from '../provider.ts';
import type { MediaRefusal } from './media-refusal.ts';
import type { RefusedPart } from './refused-parts.ts';
import type { Service } from './service.ts';

/** A failed request: an error text that a user can act on, and whether a retry may help. */
export interface RequestFailure {
  readonly error: ModelError;
  readonly isRetryable: boolean;
  readonly refuses: RefusedPart | undefined;
  /** Names of tools whose definition it rejects. */
  readonly refusedTools?: readonly string[];
  /** Files of the request that it rejects. */
  readonly refusedMedia?: MediaRefusal | undefined;
}

export interface FailureContext {
  readonly service: Service;
  readonly model: string;
  /** The key in use. It serves only to remove the key from quoted texts. */
  readonly key: string | undefined;
  /** Names of the tools of the request, in the order sent. */
  readonly tools?: readonly string[];
  readonly now: () => number;
}

export function requestFailed(error: ModelError, isRetryable = false): RequestFailure {
  return { error, isRetryable, refuses: undefined };
}
