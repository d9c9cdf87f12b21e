import { serveJobs } from '../base/serve-jobs.ts';
import { lineHunks } from './line-hunks.ts';

/** The entry of the thread that compares long texts. */
serveJobs(lineHunks);
