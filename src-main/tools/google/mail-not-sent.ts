import type { Remedy } from '../../../src-preload/contract/remedies.ts';
import { FixableError } from '../contract.ts';

/**
 * `undone`: the user took it back while it waited. `stopped`: the call was stopped while the mail waited. `kept`:
 * Steward is closing, and asks at the next start. `refused`: Gmail did not accept it, or was not reached. `dropped`: it
 * was not known whether it was sent, and the user decided against sending it again. `unknown`: it may have been sent,
 * and the user is being asked. `unasked`: it may have been sent, and nobody can be asked now.
 */
export type NotSentReason = 'undone' | 'stopped' | 'kept' | 'refused' | 'dropped' | 'unknown' | 'unasked';

export class MailNotSent extends FixableError {
  override readonly name = 'MailNotSent';
  readonly reason: NotSentReason;

  /** `message` has the details of `refused`, `unknown` and `unasked`. */
  constructor(reason: NotSentReason, message = '', remedies: readonly Remedy[] = []) {
    super(message, { remedies });
    this.reason = reason;
  }
}
