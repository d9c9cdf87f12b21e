import type { StructuredPatchHunk } from 'diff';
import { JobFailure, JobThreads, workerUrl } from '../base/job-threads.ts';
import { type Comparison, lineHunks } from './line-hunks.ts';

/** Comparing takes quadratic time in the worst case. Below this many lines it is faster than starting a thread. */
const FEW_LINES = 1_500;
const FEW_CHARACTERS = 200_000;
/** Extra time, because the limit is checked only between two steps. */
const GRACE_MS = 2_000;

const threads = new JobThreads<Comparison, readonly StructuredPatchHunk[] | undefined>({
  entry: () => workerUrl('diff-worker', import.meta.url),
  maxMemoryMb: 1024,
  maxThreads: 1,
});

/** The differences between two texts. Long ones are compared in a thread. Undefined if it took too long. */
export async function comparedLines(comparison: Comparison): Promise<readonly StructuredPatchHunk[] | undefined> {
  const { before, after, timeoutMs } = comparison;
  if (before.length + after.length <= FEW_CHARACTERS && linesOf(before) + linesOf(after) <= FEW_LINES)
    return lineHunks(comparison);
  try {
    return await threads.run(comparison, { signal: new AbortController().signal, timeoutMs: timeoutMs + GRACE_MS });
  } catch (error) {
    if (error instanceof JobFailure && error.code !== 'failed') return undefined;
    throw error;
  }
}

function linesOf(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
