import type { PendingQuestions } from '../../src-preload/contract/consent.ts';
import type { ModelQuestion } from '../../src-preload/contract/desktop-tools.ts';

/** What waits for the user, by conversation: questions of the consent surface and questions of models. */
export function waitingQuestions(
  consent: readonly PendingQuestions[],
  models: readonly ModelQuestion[],
): readonly PendingQuestions[] {
  const ids = new Set([...consent, ...models].map(({ conversationId }) => conversationId));
  return [...ids].map((conversationId) => {
    const asked = consent.find((pending) => pending.conversationId === conversationId);
    const own = models.filter((question) => question.conversationId === conversationId);
    return { conversationId, count: (asked?.count ?? 0) + own.length, isPutOff: asked?.isPutOff ?? false };
  });
}
