import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { BackupJob } from '../backups/backup-database.ts';
import type { RowCounts } from '../database/row-counts.ts';
import { StorageError, type StorageErrorCode } from '../database/storage-error.ts';

/** What a worker is started for. */
export type WorkerTask = { readonly kind: 'serve' } | ({ readonly kind: 'backup' } & BackupJob) | VerifyTask;

export interface VerifyTask {
  readonly kind: 'verify';
  readonly file: string;
}

/** What a worker answers: errors do not survive the way between threads, so they travel as their parts. */
export type WorkerAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: StorageErrorCode; readonly message: string };

/**
 * Where the worker's code is: next to this file in the sources; in a build, `storage-worker.js` beside the entries, while
 * this file may have become part of a chunk in a folder below. Not written as `new Worker(new URL('…', import.meta.url))`,
 * which bundlers rewrite, each in its own way.
 */
export function startWorker(task: WorkerTask): Worker {
  const candidates = import.meta.url.endsWith('.ts')
    ? ['storage-worker.ts']
    : ['storage-worker.js', '../storage-worker.js'];
  const urls = candidates.map((candidate) => new URL(candidate, import.meta.url));
  const url = urls.find((candidate) => existsSync(candidate));
  if (url === undefined)
    throw new Error(`The build lacks storage-worker.js; it was looked for at ${urls.join(' and ')}.`);
  return new Worker(url, { workerData: task });
}

/** Runs one copy or verification in a worker of its own. Rejects with `StorageError`. */
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
