import type { Notice } from '../assistant/turn.ts';
import type { BackgroundPart } from '../services.ts';

/**
 * Approved mail that may have been sent or not, and that the user has not decided about: one notice for each
 * conversation.
 */
export function unsettledMail({ outbox }: Pick<BackgroundPart, 'outbox'>): readonly Notice[] {
  const counts = new Map<string, number>();
  for (const { conversationId } of outbox.unsettled())
    counts.set(conversationId, (counts.get(conversationId) ?? 0) + 1);
  return [...counts].map(([id, count]) => {
    const [mails, them] = count === 1 ? ['1 approved email', 'it'] : [`${count} approved emails`, 'them'];
    return {
      code: 'mail_unsettled',
      message: `${mails} of the conversation ${id} may not have been sent. To decide about ${them}, open Steward or continue that conversation on a terminal.`,
    };
  });
}
