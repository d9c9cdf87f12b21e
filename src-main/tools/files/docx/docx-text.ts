import { JobFailure, JobThreads, workerUrl } from '../../../base/job-threads.ts';

/**
 * A dense document of 350 kB unpacks to some 5 MB, which take one second. What takes this long was made for it: that such a
 * file is an error within five seconds is a promise.
 */
const BASE_TIMEOUT_MS = 1_500;
const TIMEOUT_MS_PER_KIB = 8;
const LONGEST_TIMEOUT_MS = 60_000;

const threads = new JobThreads<Uint8Array, string>({
  entry: () => workerUrl('docx-worker', import.meta.url),
  // What is let through to it takes 1.4 GB at the worst (Node; Electron needs half of that), for some seconds.
  maxMemoryMb: 2048,
  maxThreads: 1,
});

/**
 * The paragraphs of a Word document in document order, those in table cells included, joined by newlines. Rejects with the
 * signal's reason, or with an error that says why it cannot be read. It is read in a thread of its own: such a file may unpack
 * to anything. Source: tool catalogue B.1, read_file.
 *
 * Like mammoth's `extractRawText`, except that a line break within a paragraph is one: there the words around it run together.
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
