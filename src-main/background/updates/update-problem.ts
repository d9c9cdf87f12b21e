import type { UpdateFailure, UpdateFailureCode } from '../../../src-preload/contract/updates.ts';

/** Says why a check or a download failed. */
export class UpdateProblem extends Error {
  override readonly name = 'UpdateProblem';
  readonly failure: UpdateFailure;

  constructor(code: UpdateFailureCode, detail: string | null = null, options?: ErrorOptions) {
    super(detail === null ? code : `${code}: ${detail}`, options);
    this.failure = { code, detail };
  }
}
