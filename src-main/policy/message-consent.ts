import { randomUUID } from 'node:crypto';
import type { DecisionReason } from '../../src-preload/contract/decision-reason.ts';
import type { ConsentPort, MessageConsentRequest } from './consent.ts';
import type { QuestionQueues } from './question-queues.ts';

export interface MessageConsentPorts {
  readonly consent: ConsentPort;
  /** The queues are shared with everything else that asks this user. */
  readonly questions: QuestionQueues;
}

/** The outcome is `sent_silently` if the user turned off such questions until the window is closed. */
export type MessageOutcome = 'confirmed' | 'declined' | 'sent_silently';

/**
 * The gate for messages that a page sends without main having seen the user write them. Otherwise a page that a script
 * took over could write `yes, go on` in the user's name. Source: design section 4.
 */
export class MessageConsent {
  readonly #ports: MessageConsentPorts;
  #asksNoMore = false;

  constructor(ports: MessageConsentPorts) {
    this.#ports = ports;
  }

  /** Rejects with the signal's reason when aborted. */
  async ask(
    message: Omit<MessageConsentRequest, 'kind' | 'id' | 'reason'>,
    reason: DecisionReason,
    signal: AbortSignal,
  ): Promise<MessageOutcome> {
    if (this.#asksNoMore) return 'sent_silently';
    const { consent, questions } = this.#ports;
    const request = { ...message, kind: 'message', id: randomUUID(), reason } as const;
    const origin = { conversationId: message.conversationId, askedFor: 'user' } as const;
    const answer = await questions.run(origin, signal, () => consent.ask(request, signal));
    if (answer.answer === 'deny') return 'declined';
    // The user has read this message, and turns the question off for later ones.
    if ('stopsAsking' in answer && answer.stopsAsking === true) this.#asksNoMore = true;
    return 'confirmed';
  }
}
