/** Thrown when the work for one judgement exceeds its budget. What was not looked at is then unknown. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

/**
 * The steps that one judgement of a command may take: short lines can nest and repeat so that looking at all of it
 * would take hours. Steps are counted, and not time, so that the same line is always judged the same.
 */
export class WorkBudget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** Throws `BudgetSpent` if no steps are left. */
  spend(steps = 1): void {
    this.#left -= steps;
    if (this.#left < 0) throw new BudgetSpent();
  }
}
