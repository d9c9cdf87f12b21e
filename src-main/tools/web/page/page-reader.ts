import { JobFailure, JobThreads, workerUrl } from '../../../base/job-threads.ts';
import type { ReadablePage } from './html-to-text.ts';

export interface PageReading {
  readonly html: string;
  /** The address against which relative links are resolved. Without it, they are left unchanged. */
  readonly baseUrl?: string | undefined;
}

/** In characters. A smaller page takes less time to read than a thread to start (about 30 ms). */
const LARGE = 60_000;
/** Real pages of 2 MB take less than a second; anything that takes this long was built to. */
const LIMIT_MS = 30_000;

const threads = new JobThreads<PageReading, ReadablePage>({
  entry: () => workerUrl('html-worker', import.meta.url),
  maxMemoryMb: 768,
  // A page built for it needs 300 MB; a model may request twenty at once.
  maxThreads: 3,
});

/**
 * A page's title and text. A large page is read in a thread, so that the window stays responsive and Stop works.
 * Rejects with the signal's reason, or with an error that gives the reason.
 */
export async function readPage(reading: PageReading, signal: AbortSignal): Promise<ReadablePage> {
  if (reading.html.length < LARGE) {
    const { readablePage } = await import('./html-to-text.ts');
    return readablePage(reading.html, reading);
  }
  try {
    return await threads.run(reading, { signal, timeoutMs: LIMIT_MS });
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    const reason = error.code === 'timed-out' ? 'it takes too long' : error.message;
    throw new Error(`The page could not be read as text: ${reason}`, { cause: error });
  }
}
