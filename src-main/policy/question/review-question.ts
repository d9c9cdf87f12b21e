import type { ReviewConsentRequest } from '../consent.ts';
import { type ConsentQuestion, NO_CALL } from './consent-question.ts';

/** Asks whether the user has reviewed these files. */
export function reviewQuestion({ id, reason, review }: ReviewConsentRequest): ConsentQuestion {
  const title = review.length === 1 ? 'Review the changed file?' : `Review ${review.length} changed files?`;
  return {
    id,
    kind: 'review',
    title,
    reason,
    tool: null,
    conversationId: null,
    parts: review.map((change) => ({ kind: 'unreviewed', change })),
    offers: [],
    mayPassVariables: false,
    takesWord: false,
    reviews: review.length,
    ...NO_CALL,
  };
}
