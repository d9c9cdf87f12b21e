import { serveJobs } from '../../base/serve-jobs.ts';
import { doJsonWork } from './json-work.ts';

/** Entry point of the thread that reads large JSON texts, one at a time. */
serveJobs(doJsonWork);
