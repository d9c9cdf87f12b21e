import { parentPort } from 'node:worker_threads';
import { errorMessage } from './errors.ts';
import type { JobMessage, JobOutcome } from './job-threads.ts';

/** The thread's side of `JobThreads`, called by the entry of a worker. What `work` throws becomes the reason of a `JobFailure`. */
export function serveJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  parentPort?.on('message', async (job: Job) => {
    say<Result>({ kind: 'begun' });
    say(await outcomeOf(work, job));
  });
}

async function outcomeOf<Job, Result>(work: (job: Job) => Promise<Result>, job: Job): Promise<JobOutcome<Result>> {
  try {
    return { kind: 'result', result: await work(job) };
  } catch (error) {
    return { kind: 'failed', reason: errorMessage(error) };
  }
}

function say<Result>(message: JobMessage<Result>): void {
  parentPort?.postMessage(message);
}
