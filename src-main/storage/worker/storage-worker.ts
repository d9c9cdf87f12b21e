import { parentPort, workerData } from 'node:worker_threads';
import { backupDatabase, verifyBackup } from '../backups/backup-database.ts';
import { openWritable } from '../database/connection.ts';
import { toStorageError } from '../database/storage-error.ts';
import { searchConversations } from '../search/conversation-hits.ts';
import { searchMemory } from '../search/memory-search.ts';
import { searchDatabase } from '../search/search-query.ts';
import type { EndRequest, StorageWorkerRequest } from './storage-worker-client.ts';
import type { WorkerAnswer, WorkerTask } from './worker-jobs.ts';

/** Entry point of storage's worker threads: work that the main thread must not wait for. */
const task = workerData as WorkerTask;

if (task.kind === 'serve') {
  const ending = new Int32Array(task.ending);
  parentPort?.on('message', (request: EndRequest | (StorageWorkerRequest & { id: number })) => {
    if (request.kind === 'end') {
      parentPort?.close();
      return;
    }
    if (Atomics.load(ending, 0) === 1) return;
    parentPort?.postMessage({ id: request.id, ...answer<unknown>(request.directory, () => serve(request)) });
  });
} else {
  const run = task.kind === 'backup' ? () => backupDatabase(task) : () => verifyBackup(task.file);
  parentPort?.postMessage(answer(task.kind === 'backup' ? task.directory : task.file, run));
}

function serve(request: StorageWorkerRequest): unknown {
  switch (request.kind) {
    case 'search':
      return searchDatabase(request);
    case 'conversations':
      return searchConversations(request);
    case 'remember':
      return searchMemory(request);
    case 'checkpoint':
      return checkpoint(request.file);
  }
}

function checkpoint(file: string): null {
  const connection = openWritable(file);
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
