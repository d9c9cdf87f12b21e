import type { LinkConsentRequest } from '../consent.ts';
import { type ConsentQuestion, NO_CALL } from './consent-question.ts';

/** Should this address be opened in the browser? */
export function linkQuestion({ id, reason, url, conversationId }: LinkConsentRequest): ConsentQuestion {
  return {
    id,
    kind: 'link',
    title: 'Open this address in your browser?',
    reason,
    tool: null,
    conversationId,
    parts: [{ kind: 'text', title: 'Full address', text: url }],
    offers: [],
    mayPassVariables: false,
    takesWord: false,
    reviews: 0,
    ...NO_CALL,
  };
}
