import { mailLink } from '../../base/mail-link.ts';
import type { LinkConsentRequest } from '../consent.ts';
import { type ConsentQuestion, NO_CALL } from './consent-question.ts';
import type { QuestionPart } from './question-parts.ts';

/** Asks whether this address may be opened in the browser or in the mail program. */
export function linkQuestion({ id, reason, url, conversationId }: LinkConsentRequest): ConsentQuestion {
  return {
    id,
    kind: 'link',
    title: isMail(url) ? 'Write this mail in your mail program?' : 'Open this address in your browser?',
    reason,
    tool: null,
    conversationId,
    parts: isMail(url) ? mailParts(url) : [{ kind: 'text', title: 'Full address', text: url }],
    offers: [],
    mayPassVariables: false,
    takesWord: false,
    reviews: 0,
    ...NO_CALL,
  };
}

function isMail(url: string): boolean {
  return url.startsWith('mailto:');
}

/**
 * Shows the mail that a link would begin, with its hidden recipients: `mailto:a@x?bcc=b@y` would otherwise add one
 * unseen. What is empty is left out.
 */
function mailParts(url: string): readonly QuestionPart[] {
  const { to, cc, bcc, subject, body } = mailLink(new URL(url));
  const parts: readonly (readonly [title: string, text: string])[] = [
    ['To', to.join('\n')],
    ['Cc', cc.join('\n')],
    ['Bcc (hidden from the others)', bcc.join('\n')],
    ['Subject', subject],
    ['Text', body],
  ];
  return parts.flatMap(([title, text]) => (text === '' ? [] : [{ kind: 'text', title, text } as const]));
}
