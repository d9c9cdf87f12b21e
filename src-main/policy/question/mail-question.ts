import type { MailConsentRequest } from '../consent.ts';
import type { ConsentQuestion } from './consent-question.ts';
import { mailParts } from './mail-parts.ts';

/** Asks whether to send this mail, which may have been sent already. */
export function mailQuestion(request: MailConsentRequest): ConsentQuestion {
  const { id, reason, from, to, external, subject, body, conversationId } = request;
  return {
    id,
    kind: 'mail',
    title: 'Send this email now?',
    reason,
    tool: null,
    conversationId,
    parts: mailParts({ ...(from === undefined ? {} : { from }), recipients: to, external, subject, text: body }),
    offers: [],
    mayPassVariables: false,
    takesWord: false,
    reviews: 0,
    risk: 'grave',
    noRule: null,
    calls: [],
  };
}
