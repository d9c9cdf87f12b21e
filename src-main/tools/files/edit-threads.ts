import { FileProblem } from '../../base/file-problem.ts';
import { JobFailure, JobThreads, workerUrl } from '../../base/job-threads.ts';
import { doEdit, type EditDone, type EditWork } from './edit-work.ts';

/**
 * From this size on an edit is made in a thread. It is that of what the edit could make, in UTF-16 units and bytes
 * alike. Less takes less time than starting a thread.
 */
const LARGE = 1024 * 1024;
const LIMIT_MS = 20_000;

const threads = new JobThreads<EditWork, EditDone | null>({
  entry: () => workerUrl('edit-worker', import.meta.url),
  // The memory takes the longest file, once as it was and once as it will be, each in bytes and as text.
  maxMemoryMb: 1024,
  maxThreads: 1,
});

/**
 * Makes the edit of a file; a large one is made in a thread. Resolves with null if the text is not in the file. Throws
 * `FileProblem`.
 */
export async function edited(work: EditWork, signal: AbortSignal): Promise<EditDone | null> {
  const { bytes, edit } = work;
  if (bytes.length * (1 + edit.replacement.length / edit.find.length) <= LARGE) return doEdit(work);
  try {
    return await threads.run(work, { signal, timeoutMs: LIMIT_MS });
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    const message = error.code === 'failed' ? error.message : 'the edit takes too much time or memory';
    throw new FileProblem('too-large', message, { cause: error });
  }
}
