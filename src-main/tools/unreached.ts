import { errorMessage } from '../base/errors.ts';

/** Why an account was never asked: no request was sent to it. `cause`: what stood in the way, and its message. */
export class AccountUnreached extends Error {
  override readonly name = 'AccountUnreached';

  constructor(cause: unknown) {
    super(errorMessage(cause), { cause });
  }
}

/** The file or folder that a call is about does not exist. `cause`: how that was found. */
export class NothingThere extends Error {
  override readonly name = 'NothingThere';

  constructor(cause: unknown) {
    super(errorMessage(cause), { cause });
  }
}
