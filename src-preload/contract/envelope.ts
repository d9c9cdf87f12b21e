import type { Remedy } from './remedies.ts';

/** Why a request was refused or failed. `code` is a constant for programs, `message` a sentence for people. */
export interface RequestError {
  readonly code: string;
  readonly message: string;
  /** Where a user can fix it; absent if no particular place would help. */
  readonly remedies?: readonly Remedy[];
}

/** What every request is answered with. */
export type Envelope<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly error: RequestError };
