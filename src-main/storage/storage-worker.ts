import { parentPort, workerData } from 'node:worker_threads';
import { copyDatabase, verifyCopy } from './copy-database.ts';
import { type SearchRequest, searchDatabase } from './search-query.ts';
import { toStorageError } from './storage-error.ts';
import type { WorkerAnswer, WorkerTask } from './worker-jobs.ts';

/** Entry of storage's worker threads: long reads that the main thread must not wait for. */
const task = workerData as WorkerTask;

if (task.kind === 'search') {
  parentPort?.on('message', (request: SearchRequest & { id: number }) => {
    parentPort?.postMessage({ id: request.id, ...answer(request.directory, () => searchDatabase(request)) });
  });
} else {
  const run = task.kind === 'copy' ? () => copyDatabase(task) : () => verifyCopy(task.file);
  parentPort?.postMessage(answer(task.kind === 'copy' ? task.directory : task.file, run));
}

function answer<T>(directory: string, work: () => T): WorkerAnswer<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    const { code, message } = toStorageError(error, directory);
    return { ok: false, code, message };
  }
}
