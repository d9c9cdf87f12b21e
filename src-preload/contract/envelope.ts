import type { Remedy } from './remedies.ts';

/** Why a request was refused or failed. `code` is a constant for programs, `message` a sentence for people. */
export interface RequestError {
  readonly code: string;
  readonly message: string;
  /** Where a user can fix it; absent: nowhere in particular. */
  readonly remedies?: readonly Remedy[];
}

/** Every answer. */
export type Envelope<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly error: RequestError };
