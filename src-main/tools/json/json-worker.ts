import { serveJobs } from '../../base/serve-jobs.ts';
import { doJsonWork } from './json-work.ts';

/** Entry of the thread that reads large JSON texts, one after the other. */
serveJobs(doJsonWork);
