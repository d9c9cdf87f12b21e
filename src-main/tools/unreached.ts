import { errorMessage } from '../base/errors.ts';

/**
 * Why an account was never asked: no request was sent to it. `cause` is what stood in the way, and gives the message.
 */
export class AccountUnreached extends Error {
  override readonly name = 'AccountUnreached';

  constructor(cause: unknown) {
    super(errorMessage(cause), { cause });
  }
}

/** The file or folder that a call is about does not exist. `cause` is how that was found. */
export class NothingThere extends Error {
  override readonly name = 'NothingThere';

  constructor(cause: unknown) {
    super(errorMessage(cause), { cause });
  }
}
