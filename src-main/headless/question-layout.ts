import { JobThreads } from '../base/job-threads.ts';
import { workerUrl } from '../base/worker-url.ts';
import type { ConsentRequest } from '../policy/consent.ts';
import { type ComparedQuestion, comparedQuestion } from '../policy/line-diff.ts';
import { isLongQuestion } from '../policy/question-size.ts';
import { type ConsentTextOptions, consentText } from './consent-text.ts';

export interface QuestionLayout {
  readonly question: ComparedQuestion;
  readonly options: ConsentTextOptions;
}

/** The longest question that can be asked takes a tenth of that. */
const LIMIT_MS = 60_000;

const threads = new JobThreads<QuestionLayout, string>({
  entry: () => workerUrl('question-worker', import.meta.url),
  maxMemoryMb: 1024,
  maxThreads: 1,
});

/** The text of a question; that of a long one is made in a thread, so that Ctrl-C ends it. Rejects with the signal's reason when aborted. */
export async function laidOutText(
  request: ConsentRequest,
  options: ConsentTextOptions,
  signal: AbortSignal,
): Promise<string> {
  const question = await comparedQuestion(request);
  if (!isLongQuestion(question)) return consentText(question, options);
  return threads.run({ question, options }, { signal, timeoutMs: LIMIT_MS });
}
