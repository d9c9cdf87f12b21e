import type { Worker } from 'node:worker_threads';
import type { SearchHit, SearchRequest } from './search-query.ts';
import { StorageError } from './storage-error.ts';
import { startWorker, type WorkerAnswer } from './worker-jobs.ts';

interface Waiting {
  resolve(hits: SearchHit[]): void;
  reject(error: Error): void;
}

/** Asks a worker thread, which starts with the first question and keeps the process alive only while one is open. */
export class SearchClient {
  #worker: Worker | undefined;
  #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #isClosed = false;

  search(request: SearchRequest): Promise<SearchHit[]> {
    if (this.#isClosed) return Promise.reject(closedError());
    this.#worker ??= this.#start();
    const worker = this.#worker;
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ ...request, id });
    });
  }

  /** Open questions are rejected. The worker has ended when this resolves. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#isClosed = true;
    this.#worker = undefined;
    this.#rejectAll(closedError());
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = startWorker({ kind: 'search' });
    worker.unref();
    worker.on('message', ({ id, ...answer }: WorkerAnswer<SearchHit[]> & { id: number }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) worker.unref();
      if (answer.ok) waiting?.resolve(answer.value);
      else waiting?.reject(new StorageError(answer.code, answer.message));
    });
    worker.on('error', (error) => this.#rejectAll(error));
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#rejectAll(new StorageError('database_error', 'The search ended unexpectedly. Try again.'));
    });
    return worker;
  }

  #rejectAll(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

function closedError(): StorageError {
  return new StorageError('storage_closed', 'There is no search any more: the database was closed.');
}
