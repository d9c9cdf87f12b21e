import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { errorMessage } from '../../../base/errors.ts';
import type { ReadablePage } from './html-to-text.ts';

/** What the thread is sent. */
export interface PageReading {
  readonly html: string;
  readonly baseUrl: string;
}

/** Real pages of 2 MB take less than one second; what takes this long was made for it. */
const LIMIT_MS = 30_000;
const MAX_MEMORY_MB = 768;
/** A thread that has read a page reads the next one in half the time. */
const KEPT_MS = 30_000;
/** A page that was made for it takes 300 MB; a model may ask for twenty at once. */
const MAX_THREADS = 3;

/** Threads that read pages, a few at a time. One is kept for a while when it has nothing to do; it never keeps the process from ending. */
export class PageThreads {
  #idle: { readonly thread: Worker; readonly timer: NodeJS.Timeout } | undefined;

  readonly #turns = pLimit(MAX_THREADS);

  read(reading: PageReading, signal: AbortSignal): Promise<ReadablePage> {
    return this.#turns(() => this.#read(reading, signal));
  }

  async #read(reading: PageReading, signal: AbortSignal): Promise<ReadablePage> {
    signal.throwIfAborted();
    const thread = this.#takeIdle() ?? startThread();
    try {
      const page = await answerOf(thread, reading, signal);
      this.#keep(thread);
      return page;
    } catch (error) {
      await thread.terminate();
      throw error;
    }
  }

  #takeIdle(): Worker | undefined {
    const idle = this.#idle;
    this.#idle = undefined;
    clearTimeout(idle?.timer);
    idle?.thread.ref();
    return idle?.thread;
  }

  #keep(thread: Worker): void {
    if (this.#idle !== undefined) {
      void thread.terminate();
      return;
    }
    thread.unref();
    this.#idle = { thread, timer: setTimeout(() => void this.#takeIdle()?.terminate(), KEPT_MS).unref() };
  }
}

/** Rejects with the signal's reason, or with an error that says why there is no answer. */
async function answerOf(thread: Worker, reading: PageReading, signal: AbortSignal): Promise<ReadablePage> {
  let resolve: (page: ReadablePage) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<ReadablePage>((onResolved, onRejected) => {
    resolve = onResolved;
    reject = onRejected;
  });
  const stop = () => reject(signal.reason);
  const fail = (error: unknown) =>
    reject(new Error(`The page could not be read as text: ${errorMessage(error)}`, { cause: error }));
  const end = () => fail(new Error('its thread ended'));
  const timer = setTimeout(() => fail(new Error('it takes too long')), LIMIT_MS);
  signal.addEventListener('abort', stop, { once: true });
  // One by one: a worker needs listeners of its own, and removeAllListeners() would take them too.
  thread.once('message', resolve).once('error', fail).once('exit', end);
  try {
    thread.postMessage(reading);
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    thread.off('message', resolve).off('error', fail).off('exit', end);
  }
}

function startThread(): Worker {
  const thread = new Worker(threadUrl(), { resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB } });
  // Whoever waits for an answer hears of it; one that comes when nobody waits must not end the process.
  return thread.on('error', () => undefined);
}

/** Beside this file in the sources; in a build beside the entries, while this file may be in a folder of chunks below. */
function threadUrl(): URL {
  const candidates = import.meta.url.endsWith('.ts') ? ['html-worker.ts'] : ['html-worker.js', '../html-worker.js'];
  const urls = candidates.map((candidate) => new URL(candidate, import.meta.url));
  const url = urls.find((candidate) => existsSync(candidate));
  if (url === undefined) throw new Error(`The build lacks html-worker.js; it was looked for at ${urls.join(' and ')}.`);
  return url;
}
