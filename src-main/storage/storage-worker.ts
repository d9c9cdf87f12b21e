import { parentPort, workerData } from 'node:worker_threads';
import { Connection } from './connection.ts';
import { copyDatabase, verifyCopy } from './copy-database.ts';
import { searchMemory } from './memory-search.ts';
import { searchDatabase } from './search-query.ts';
import { toStorageError } from './storage-error.ts';
import type { ServantRequest } from './storage-servant.ts';
import type { WorkerAnswer, WorkerTask } from './worker-jobs.ts';

/** Entry of storage's worker threads: what the main thread must not wait for. */
const task = workerData as WorkerTask;

if (task.kind === 'serve') {
  parentPort?.on('message', (request: ServantRequest & { id: number }) => {
    parentPort?.postMessage({ id: request.id, ...answer<unknown>(request.directory, () => serve(request)) });
  });
} else {
  const run = task.kind === 'copy' ? () => copyDatabase(task) : () => verifyCopy(task.file);
  parentPort?.postMessage(answer(task.kind === 'copy' ? task.directory : task.file, run));
}

function serve(request: ServantRequest): unknown {
  switch (request.kind) {
    case 'search':
      return searchDatabase(request);
    case 'remember':
      return searchMemory(request);
    case 'checkpoint':
      return checkpoint(request.file);
  }
}

function checkpoint(file: string): null {
  const connection = new Connection(file);
  try {
    connection.checkpoint();
  } finally {
    connection.close();
  }
  return null;
}

function answer<T>(directory: string, work: () => T): WorkerAnswer<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    const { code, message } = toStorageError(error, directory);
    return { ok: false, code, message };
  }
}
