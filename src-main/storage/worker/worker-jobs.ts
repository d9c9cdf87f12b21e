import { Worker } from 'node:worker_threads';
import { workerUrl } from '../../base/job-threads.ts';
import type { BackupJob } from '../backups/backup-database.ts';
import type { RowCounts } from '../database/row-counts.ts';
import { StorageError, type StorageErrorCode } from '../database/storage-error.ts';

/** The jobs for which a worker is started. */
export type WorkerTask = ServeTask | ({ readonly kind: 'backup' } & BackupJob) | VerifyTask;

export interface ServeTask {
  readonly kind: 'serve';
  /** One `Int32`, 1 when no request may be begun any more. */
  readonly ending: SharedArrayBuffer;
}

export interface VerifyTask {
  readonly kind: 'verify';
  readonly file: string;
}

/** A worker's answer: errors can't be passed between threads, so their parts are. */
export type WorkerAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: StorageErrorCode; readonly message: string };

export function startWorker(task: WorkerTask): Worker {
  return new Worker(workerUrl('storage-worker', import.meta.url), { workerData: task });
}

/**
 * Runs one backup or verification in its own worker, which has ended when this resolves. Rejects with `StorageError`.
 */
export function runInWorker(task: Exclude<WorkerTask, ServeTask>): Promise<RowCounts> {
  return new Promise((resolve, reject) => {
    const worker = startWorker(task);
    let answer: WorkerAnswer<RowCounts> | undefined;
    worker.once('message', (received: WorkerAnswer<RowCounts>) => {
      answer = received;
    });
    worker.once('error', reject);
    worker.once('exit', () => {
      if (answer === undefined) reject(new StorageError('copy_failed', 'The storage worker ended before it was done.'));
      else if (answer.ok) resolve(answer.value);
      else reject(new StorageError(answer.code, answer.message));
    });
  });
}
