import type { MailConsentRequest } from '../consent.ts';
import type { ConsentQuestion } from './consent-question.ts';

/** Should this mail be sent, which may have been sent already? */
export function mailQuestion({ id, reason, to, subject, body, conversationId }: MailConsentRequest): ConsentQuestion {
  return {
    ...{ id, kind: 'mail', title: 'Send this email now?', reason, tool: null, conversationId },
    parts: [
      { kind: 'text', title: to.length === 1 ? 'Recipient' : 'Recipients', text: to.join('\n') },
      { kind: 'text', title: 'Subject', text: subject },
      { kind: 'text', title: 'Full text', text: body },
    ],
    ...{ offers: [], mayPassVariables: false, takesWord: false, reviews: 0, risk: 'grave', noRule: null, calls: [] },
  };
}
