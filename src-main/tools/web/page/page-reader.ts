import type { ReadablePage } from './html-to-text.ts';
import { type PageReading, PageThreads } from './page-threads.ts';

/** Characters. Below, a thread takes longer to start than the page to read (about 30 ms). */
const LARGE = 60_000;

const threads = new PageThreads();

/**
 * A page's title and text. A large one is read in a thread of its own, so that the window stays awake and Stop ends it.
 * Rejects with the signal's reason, or with an error that says why the page could not be read.
 */
export async function readPage(reading: PageReading, signal: AbortSignal): Promise<ReadablePage> {
  if (reading.html.length >= LARGE) return threads.read(reading, signal);
  const { readablePage } = await import('./html-to-text.ts');
  return readablePage(reading.html, reading);
}
