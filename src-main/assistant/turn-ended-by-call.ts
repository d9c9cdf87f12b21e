import type { TurnFailure } from '../tools/contract.ts';

/** A call ended its turn; its result is kept. */
export class TurnEndedByCall extends Error {
  override readonly name = 'TurnEndedByCall';
  readonly failure: TurnFailure;

  constructor(failure: TurnFailure) {
    super(failure.message);
    this.failure = failure;
  }
}
