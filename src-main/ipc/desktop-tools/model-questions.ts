import type { ModelQuestion } from '../../../src-preload/contract/desktop-tools.ts';
import { IpcError } from '../ipc-error.ts';

interface Open {
  readonly question: ModelQuestion;
  readonly answered: (answer: string | null) => void;
}

/** Questions of models that wait for the user. They have nothing to do with permission: that is asked on the consent surface. */
export class ModelQuestions {
  readonly #open = new Map<string, Open>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The oldest first. */
  get open(): readonly ModelQuestion[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  /** `null`: the user does not want to answer, or the question was withdrawn. */
  ask(question: ModelQuestion): Promise<string | null> {
    return new Promise((answered) => {
      this.#open.set(question.id, { question, answered });
      this.#onChange();
    });
  }

  /** False if it is not open. Throws `IpcError` (`not_a_choice`). */
  answer(id: string, answer: string): boolean {
    const choices = this.#open.get(id)?.question.choices ?? [];
    if (choices.length > 0 && !choices.includes(answer))
      throw new IpcError('not_a_choice', 'This question has fixed answers. Choose one of them.');
    return this.#close(id, answer);
  }

  /** False if it is not open. */
  dismiss(id: string): boolean {
    return this.#close(id, null);
  }

  #close(id: string, answer: string | null): boolean {
    const open = this.#open.get(id);
    if (open === undefined) return false;
    this.#open.delete(id);
    open.answered(answer);
    this.#onChange();
    return true;
  }
}
