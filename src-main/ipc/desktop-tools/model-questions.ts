import type { ModelQuestion } from '../../../src-preload/contract/desktop-tools.ts';

interface Open {
  readonly question: ModelQuestion;
  readonly answered: (answer: string | null) => void;
}

export interface ModelQuestionsPorts {
  readonly onChange: () => void;
  /** Called when there is another question. */
  readonly onAsked: () => void;
}

/**
 * Questions of models that wait for the user. They have nothing to do with permission, which is asked for on the
 * consent surface.
 */
export class ModelQuestions {
  readonly #open = new Map<string, Open>();
  readonly #ports: ModelQuestionsPorts;

  constructor(ports: ModelQuestionsPorts) {
    this.#ports = ports;
  }

  /** The oldest first. */
  get open(): readonly ModelQuestion[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  /** Null if the user does not want to answer, or if the question was withdrawn. */
  ask(question: ModelQuestion): Promise<string | null> {
    return new Promise((answered) => {
      this.#open.set(question.id, { question, answered });
      this.#ports.onChange();
      this.#ports.onAsked();
    });
  }

  /** `undefined` if it is not open. */
  find(id: string): ModelQuestion | undefined {
    return this.#open.get(id)?.question;
  }

  /** One of the choices, or any other text. False if it is not open. */
  answer(id: string, answer: string): boolean {
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
    this.#ports.onChange();
    return true;
  }
}
