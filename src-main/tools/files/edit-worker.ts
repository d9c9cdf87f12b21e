import { serveJobs } from '../../base/serve-jobs.ts';
import { doEdit } from './edit-work.ts';

/** This is the entry point of the thread that edits large files. */
serveJobs(doEdit);
