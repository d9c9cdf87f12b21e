import { serveJobs } from '../serve-jobs.ts';
import { detectedEncoding } from './detect.ts';

/** Entry point of the thread that guesses encodings, one at a time. */
serveJobs(detectedEncoding);
