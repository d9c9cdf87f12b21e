import { serveJobs } from '../base/serve-jobs.ts';
import { consentText } from './consent-text.ts';
import type { QuestionLayout } from './question-layout.ts';

/** Entry of the thread that lays long questions out for the terminal. */
serveJobs(async ({ question, options }: QuestionLayout) => consentText(question, options));
