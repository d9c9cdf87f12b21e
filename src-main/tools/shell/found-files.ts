import { JobFailure, JobThreads, workerUrl } from '../../base/job-threads.ts';
import { type ToolContext, ToolFailure } from '../contract.ts';
import { type Below, type Walk, walk } from './walk.ts';

export interface Found extends Omit<Below, 'lack'> {
  /** The real path of the folder. */
  readonly folder: string;
  /** Why something is missing. */
  readonly lack: string | undefined;
}

/** So many entries take some milliseconds, and to start a thread takes a hundred. */
const FEW = 2_000;

const threads = new JobThreads<Walk, Below>({
  entry: () => workerUrl('walk-worker', import.meta.url),
  // A folder with a million entries takes a third of it.
  maxMemoryMb: 1024,
  maxThreads: 2,
});

const NOTHING: Below = { closed: [], secretLike: [], secretLinks: [], obeyed: [], repositories: [], linked: [] };

/** What is below a folder. Throws on Stop. */
export async function foundBelow(
  job: Walk,
  timeoutMs: number,
  { signal }: Pick<ToolContext, 'signal'>,
): Promise<Found> {
  const { folder } = job;
  const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const { lack, ...below } = walk(job, FEW) ?? (await threads.run(job, { signal: until, timeoutMs }));
    return { ...below, folder, lack };
  } catch (error) {
    if (signal.aborted) throw new ToolFailure('[stopped by the user]', { outcome: 'stopped' });
    if (!until.aborted && !(error instanceof JobFailure)) throw error;
    return { ...NOTHING, folder, lack: 'it takes too long' };
  }
}
