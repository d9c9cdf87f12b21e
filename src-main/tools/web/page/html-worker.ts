import { parentPort } from 'node:worker_threads';
import { readablePage } from './html-to-text.ts';
import type { PageReading } from './page-threads.ts';

/** Entry of the thread that reads large pages, one after the other. */
parentPort?.on('message', async ({ html, baseUrl }: PageReading) => {
  parentPort?.postMessage(await readablePage(html, { baseUrl }));
});
