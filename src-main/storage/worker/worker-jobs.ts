import { Worker } from 'node:worker_threads';
import { workerUrl } from '../../base/job-threads.ts';
import type { BackupJob } from '../backups/backup-database.ts';
import type { RowCounts } from '../database/row-counts.ts';
import { StorageError, type StorageErrorCode } from '../database/storage-error.ts';

/** The jobs for which a worker is started. */
export type WorkerTask = { readonly kind: 'serve' } | ({ readonly kind: 'backup' } & BackupJob) | VerifyTask;

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

/** Runs one backup or verification in its own worker. Rejects with `StorageError`. */
export function runInWorker(task: Exclude<WorkerTask, { kind: 'serve' }>): Promise<RowCounts> {
  return new Promise((resolve, reject) => {
    const worker = startWorker(task);
    worker.once('message', (answer: WorkerAnswer<RowCounts>) => {
      if (answer.ok) resolve(answer.value);
      else reject(new StorageError(answer.code, answer.message));
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new StorageError('copy_failed', 'The storage worker ended before it was done.')));
  });
}
