import type { ModelQuestion } from '../../../src-preload/contract/desktop-tools.ts';
import type { MessageOrigins } from '../conversations/message-origin.ts';
import type { Desktop } from '../desktop-port.ts';
import type { Circumstances } from '../handlers.ts';
import { IpcError } from '../ipc-error.ts';
import type { ModelQuestions } from './model-questions.ts';

export interface ModelAnswersPorts {
  readonly desktop: Pick<Desktop, 'takeSending' | 'writing'>;
  readonly questions: ModelQuestions;
  readonly origins: Pick<MessageOrigins, 'of'>;
}

/**
 * What the page says the user answered to a model. A click or Enter gives one of the choices, whose texts main knows.
 * Any other text goes the way of a message: if main did not see it written, the user is asked, or a page that was taken
 * over could put words into their mouth.
 */
export class ModelAnswers {
  readonly #ports: ModelAnswersPorts;

  constructor(ports: ModelAnswersPorts) {
    this.#ports = ports;
  }

  /** False if the question is not open. Throws `IpcError` (`no_gesture`, and those of `MessageOrigins`). */
  async give(
    { id, answer }: { readonly id: string; readonly answer: string },
    circumstances: Circumstances,
  ): Promise<boolean> {
    const { questions } = this.#ports;
    const question = questions.find(id);
    if (question === undefined) {
      this.#needSending(circumstances);
      return false;
    }
    if (question.choices.includes(answer)) await this.#chosen(question, answer, circumstances);
    else await this.#written(question, answer, circumstances);
    return questions.answer(id, answer);
  }

  #needSending({ receivedAt }: Circumstances): void {
    if (!this.#ports.desktop.takeSending(receivedAt))
      throw new IpcError('no_gesture', 'This works only when you click or press Enter yourself.');
  }

  async #chosen({ choices }: ModelQuestion, answer: string, circumstances: Circumstances): Promise<void> {
    this.#needSending(circumstances);
    const writing = await this.#ports.desktop.writing();
    // The digit that marked it is used up: it is no reason to believe that an old draft, sent next, was just written.
    const digit = String((choices.indexOf(answer) + 1) % 10);
    if (writing.holdsLines(digit)) writing.messageSent(digit);
  }

  async #written(question: ModelQuestion, answer: string, circumstances: Circumstances): Promise<void> {
    const { conversationId } = question;
    const message = { content: [{ type: 'text' as const, text: answer }] };
    await this.#ports.origins.of({ text: answer, message, conversationId, sentBefore: () => [] }, circumstances);
  }
}
