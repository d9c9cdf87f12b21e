import { serveJobs } from '../../base/serve-jobs.ts';
import { type Walk, walk } from './walk.ts';

/** Entry point of the thread that looks through large folders. */
serveJobs(async (job: Walk) => walk(job));
