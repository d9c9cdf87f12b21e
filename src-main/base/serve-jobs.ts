import { parentPort } from 'node:worker_threads';
import { errorMessage } from './errors.ts';
import type { JobMessage, JobOutcome } from './job-threads.ts';
import { ownTaskId } from './thread-time.ts';

/**
 * The thread's side of `JobThreads`, called by the entry of a worker. What `work` throws becomes the reason of a
 * `JobFailure`.
 */
export function serveJobs<Job, Result>(work: (job: Job, onProgress: (text: string) => void) => Promise<Result>): void {
  const taskId = ownTaskId();
  const onProgress = (text: string) => say<Result>({ kind: 'progress', text });
  parentPort?.on('message', async (job: Job) => {
    say<Result>({ kind: 'begun', taskId });
    say(await outcomeOf(() => work(job, onProgress)));
  });
}

async function outcomeOf<Result>(work: () => Promise<Result>): Promise<JobOutcome<Result>> {
  try {
    return { kind: 'result', result: await work() };
  } catch (error) {
    return { kind: 'failed', reason: errorMessage(error) };
  }
}

function say<Result>(message: JobMessage<Result>): void {
  parentPort?.postMessage(message);
}
