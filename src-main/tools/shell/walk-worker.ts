import { serveJobs } from '../../base/serve-jobs.ts';
import { walk } from './walk.ts';

// Electron takes the files in an archive `x.asar` for files of the disk otherwise, and a folder of that name for one.
Object.assign(process, { noAsar: true });

/** Entry point of the thread that looks through folders. */
serveJobs(async (job: Parameters<typeof walk>[0]) => walk(job));
