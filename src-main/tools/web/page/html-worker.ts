import { serveJobs } from '../../../base/serve-jobs.ts';
import { readablePage } from './html-to-text.ts';
import type { PageReading } from './page-reader.ts';

/** Entry point of the thread that reads large pages, one at a time. */
serveJobs(({ html, baseUrl }: PageReading) => readablePage(html, { baseUrl }));
