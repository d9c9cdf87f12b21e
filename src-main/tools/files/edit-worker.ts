import { serveJobs } from '../../base/serve-jobs.ts';
import { doEdit } from './edit-work.ts';

/** Entry of the thread that edits large files. */
serveJobs(doEdit);
