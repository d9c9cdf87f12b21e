import { JobFailure, JobThreads, workerUrl } from '../../../base/job-threads.ts';

/**
 * A dense document of 350 kB unpacks to about 5 MB, which take one second. Anything that takes longer was built to do so, and must fail
 * within five seconds.
 */
const BASE_TIMEOUT_MS = 1_500;
const TIMEOUT_MS_PER_KIB = 8;
const LONGEST_TIMEOUT_MS = 60_000;

const threads = new JobThreads<Uint8Array, string>({
  entry: () => workerUrl('docx-worker', import.meta.url),
  // Input within the limits takes at most 1.4 GB (Node; Electron needs half of that), for a few seconds.
  maxMemoryMb: 2048,
  maxThreads: 1,
});

/**
 * The paragraphs of a Word document in document order, including those in table cells, joined by newlines. Rejects with the signal's
 * reason, or with an error that says why it can't be read. It is read in its own thread, because such a file may unpack to any size.
 * Source: tool catalogue B.1, read_file.
 *
 * Like mammoth's `extractRawText`, except that a line break within a paragraph is kept; mammoth joins the words around it.
 */
export async function docxText(bytes: Uint8Array, signal: AbortSignal): Promise<string> {
  const timeoutMs = Math.min(LONGEST_TIMEOUT_MS, BASE_TIMEOUT_MS + (bytes.length / 1024) * TIMEOUT_MS_PER_KIB);
  try {
    return await threads.run(bytes, { signal, timeoutMs });
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    throw new Error(reasonOf(error, timeoutMs), { cause: error });
  }
}

function reasonOf({ code, message }: JobFailure, timeoutMs: number): string {
  if (code === 'failed') return `the document cannot be read: ${message}`;
  const took = code === 'timed-out' ? `${(timeoutMs / 1000).toFixed(1)} seconds` : 'the available memory';
  return `reading the document took more than ${took}. It may be damaged; save it as plain text and read that`;
}
