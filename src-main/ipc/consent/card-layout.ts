import type { ConsentCard } from '../../../src-preload/contract/consent.ts';
import { JobThreads } from '../../base/job-threads.ts';
import { workerUrl } from '../../base/worker-url.ts';
import type { ConsentRequest } from '../../policy/consent.ts';
import { comparedQuestion } from '../../policy/line-diff.ts';
import { isLongQuestion } from '../../policy/question-size.ts';
import { type CardLayout, cardTitle, consentCard } from './consent-card.ts';

/** The longest question that can be asked takes a tenth of that. */
const LIMIT_MS = 60_000;

const threads = new JobThreads<CardLayout, ConsentCard>({
  entry: () => workerUrl('card-worker', import.meta.url),
  maxMemoryMb: 1024,
  maxThreads: 1,
});

/** The card of a question; that of a long one is made in a thread of its own. Rejects with the signal's reason when aborted. */
export async function laidOutCard(
  request: ConsentRequest,
  conversationTitle: string | null,
  signal: AbortSignal,
): Promise<ConsentCard> {
  const question = await comparedQuestion(request);
  const layout: CardLayout = { question, title: cardTitle(request), conversationTitle };
  return isLongQuestion(question) ? threads.run(layout, { signal, timeoutMs: LIMIT_MS }) : consentCard(layout);
}
