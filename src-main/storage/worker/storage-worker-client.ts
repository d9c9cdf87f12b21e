import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { StorageError } from '../database/storage-error.ts';
import type { ConversationHit, ConversationSearchRequest } from '../search/conversation-hits.ts';
import type { MemoryHit, MemorySearchRequest } from '../search/memory-search.ts';
import type { SearchHit, SearchRequest } from '../search/search-query.ts';
import { startWorker, type WorkerAnswer } from './worker-jobs.ts';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Requests to the long-lived worker. */
export type StorageWorkerRequest =
  | ({ readonly kind: 'search' } & SearchRequest)
  | ({ readonly kind: 'conversations' } & ConversationSearchRequest)
  | ({ readonly kind: 'remember' } & MemorySearchRequest)
  | CheckpointRequest;

/** Says that no request follows, so that the worker ends. */
export interface EndRequest {
  readonly kind: 'end';
}

export interface CheckpointRequest {
  readonly kind: 'checkpoint';
  readonly directory: string;
  readonly file: string;
}

/**
 * A worker thread for frequent work that the main thread must not wait for. It starts with the first request and keeps
 * the process alive only while a request is open.
 */
export class StorageWorkerClient {
  #worker: Worker | undefined;
  readonly #ending = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #isClosed = false;

  search(request: SearchRequest): Promise<SearchHit[]> {
    return this.#ask({ kind: 'search', ...request });
  }

  searchConversations(request: ConversationSearchRequest): Promise<ConversationHit[]> {
    return this.#ask({ kind: 'conversations', ...request });
  }

  searchMemory(request: MemorySearchRequest): Promise<MemoryHit[]> {
    return this.#ask({ kind: 'remember', ...request });
  }

  /** Moves the write-ahead log into the database as far as other connections allow. */
  checkpoint(request: Omit<CheckpointRequest, 'kind'>): Promise<null> {
    return this.#ask({ kind: 'checkpoint', ...request });
  }

  #ask<T>(request: StorageWorkerRequest): Promise<T> {
    if (this.#isClosed) return Promise.reject(closedError());
    this.#worker ??= this.#start();
    const worker = this.#worker;
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      // For each kind of request the worker returns the corresponding type.
      this.#waiting.set(id, { resolve: (value) => resolve(value as T), reject });
      worker.ref();
      worker.postMessage({ ...request, id });
    });
  }

  /**
   * Open requests are rejected. The worker has ended when this resolves: by itself, after what it is doing, because
   * `@photostructure/sqlite` aborts the process if its thread is terminated during a call.
   */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#isClosed = true;
    this.#worker = undefined;
    this.#rejectAll(closedError());
    if (worker === undefined) return;
    // The process must stay alive while waiting for it to end.
    worker.ref();
    const ended = once(worker, 'exit');
    Atomics.store(this.#ending, 0, 1);
    worker.postMessage({ kind: 'end' } satisfies EndRequest);
    await ended;
  }

  #start(): Worker {
    const worker = startWorker({ kind: 'serve', ending: this.#ending.buffer });
    worker.unref();
    worker.on('message', ({ id, ...answer }: WorkerAnswer<unknown> & { id: number }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      // An answer that arrives during shutdown must not let the process end earlier.
      if (this.#waiting.size === 0 && this.#worker === worker) worker.unref();
      if (answer.ok) waiting?.resolve(answer.value);
      else waiting?.reject(new StorageError(answer.code, answer.message));
    });
    worker.on('error', (error) => this.#rejectAll(error));
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#rejectAll(new StorageError('database_error', 'The storage worker ended unexpectedly. Try again.'));
    });
    return worker;
  }

  #rejectAll(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

function closedError(): StorageError {
  return new StorageError('storage_closed', 'The database was closed.');
}
