import { JobFailure, JobThreads, workerUrl } from '../../../base/job-threads.ts';

/**
 * These limit the processor time of reading. A dense document of 350 kB unpacks to about 5 MB, which take a second or
 * two; this gives it twenty. A few kB that take as long were built to, and must fail within five seconds.
 */
const BASE_WORK_MS = 1_500;
const WORK_MS_PER_KIB = 60;
const MAX_WORK_MS = 180_000;

const threads = new JobThreads<Uint8Array, string>({
  entry: () => workerUrl('docx-worker', import.meta.url),
  // Input within the limits takes at most 1.4 GB (Node; Electron needs half of that), for a few seconds.
  maxMemoryMb: 2048,
  maxThreads: 1,
});

export interface Reading {
  readonly signal: AbortSignal;
  /** Told what is being done, for a card. */
  readonly onProgress?: ((text: string) => void) | undefined;
}

/**
 * Reads the paragraphs of a Word document in document order, including those in table cells, joined by newlines.
 * Rejects with the signal's reason, or with an error that says why it can't be read. It is read in its own thread,
 * because such a file may unpack to any size. Source: tool catalogue B.1, read_file.
 *
 * The text is that of mammoth's `extractRawText`, except that a line break within a paragraph is kept (mammoth joins
 * the words around it), and that notes, comments, headers, footers, equations, the numbers of lists and the addresses
 * of links are in it.
 */
export async function docxText(bytes: Uint8Array, { signal, onProgress }: Reading): Promise<string> {
  const timeoutMs = Math.min(MAX_WORK_MS, BASE_WORK_MS + (bytes.length / 1024) * WORK_MS_PER_KIB);
  try {
    return await threads.run(bytes, { signal, timeoutMs, onProgress });
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    throw new Error(reasonOf(error, timeoutMs), { cause: error });
  }
}

function reasonOf({ code, message }: JobFailure, timeoutMs: number): string {
  if (code === 'failed') return `the document cannot be read: ${message}`;
  const took = code === 'timed-out' ? `${(timeoutMs / 1000).toFixed(1)} seconds of computing` : 'the available memory';
  return `reading the document took more than ${took}, far more than documents of its size need. Save it as plain text and read that`;
}
