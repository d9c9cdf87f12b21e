import type { UndoRefusalReason } from '../../../src-preload/contract/undo-refusal.ts';
import { fileErrorText } from '../../base/file-problem.ts';

/** Something can't be brought to the state that it had. */
export class NotRestored extends Error {
  override readonly name = 'NotRestored';
  readonly reason: UndoRefusalReason;

  constructor(reason: UndoRefusalReason, options?: ErrorOptions) {
    super(reason.code, options);
    this.reason = reason;
  }
}

/** Why a path was not restored, for whatever was thrown while it was worked on. */
export function reasonOf(error: unknown, path: string): UndoRefusalReason {
  if (error instanceof NotRestored) return error.reason;
  return { code: 'file_problem', message: fileErrorText(error, path) };
}
