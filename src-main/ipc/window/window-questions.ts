import { MessageConsent } from '../../policy/message-consent.ts';
import { QuestionQueues } from '../../policy/question-queues.ts';
import { ConsentQueue } from '../consent/consent-queue.ts';
import { ModelQuestions } from '../desktop-tools/model-questions.ts';
import type { Pages } from './pages.ts';
import type { WindowAssistantOptions } from './window-options.ts';

export interface WindowQuestionsPorts extends Pick<WindowAssistantOptions, 'desktop' | 'showConsent'> {
  readonly pages: Pages;
  /** The title of a conversation, or null if it is not known. */
  readonly titleOf: (conversationId: string) => string | null;
}

/** Everything that the user is asked in this window. Both pages are told of every change. */
export class WindowQuestions {
  /** Which question has to wait for which. */
  readonly order = new QuestionQueues({ onWaiting: () => this.#changed() });
  readonly consent: ConsentQueue;
  readonly messages: MessageConsent;
  readonly ofModels: ModelQuestions;
  readonly #ports: WindowQuestionsPorts;

  constructor(ports: WindowQuestionsPorts) {
    this.#ports = ports;
    const { desktop, pages, titleOf } = ports;
    this.consent = new ConsentQueue({
      waitingElsewhere: (id) => this.order.waiting(id),
      theme: () => desktop.theme(),
      titleOf,
      onChange: () => this.#changed(),
      takePress: (since, isGrave) => desktop.takePressAtQuestion(since, isGrave),
    });
    this.messages = new MessageConsent({ consent: this.consent, questions: this.order });
    this.ofModels = new ModelQuestions({
      onChange: () => pages.app('modelQuestions', { open: this.ofModels.open }),
      onAsked: () => desktop.drawAttention(),
    });
  }

  get count(): number {
    return this.consent.count + this.ofModels.open.length;
  }

  /** The chat's page was loaded. */
  tellApp(): void {
    const { pages } = this.#ports;
    pages.app('questions', { pending: this.consent.pending });
    pages.app('modelQuestions', { open: this.ofModels.open });
  }

  /** The question, or how it looks, has changed. */
  tellConsent(): void {
    this.#ports.pages.consent('state', this.consent.state());
  }

  #changed(): void {
    const { pages, showConsent } = this.#ports;
    pages.app('questions', { pending: this.consent.pending });
    showConsent(this.consent.shown);
    this.tellConsent();
  }
}
