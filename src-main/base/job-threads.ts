import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { errorMessage, systemCode } from './errors.ts';
import { threadTimeMs } from './thread-time.ts';
import { untilAborted } from './until-aborted.ts';

export interface JobThreadsOptions {
  /** The URL of a module that calls `serveJobs`; see `workerUrl`. */
  readonly entry: () => URL;
  /** Limit of V8's heap. A job that needs more ends its own thread and nothing else. */
  readonly maxMemoryMb: number;
  /** Further jobs wait. */
  readonly maxThreads: number;
}

export interface JobLimits {
  /** Ends the job, even while it waits for a thread. */
  readonly signal: AbortSignal;
  /** Processor time of the thread, from when it starts the job. What else the machine does is no part of it. */
  readonly timeoutMs: number;
  /** What the job says of its progress. */
  readonly onProgress?: ((text: string) => void) | undefined;
}

export type JobFailureCode = 'timed-out' | 'out-of-memory' | 'failed';

/** Why a job has no result. With the code `failed`, the message is what the job itself threw. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
  readonly code: JobFailureCode;

  constructor(code: JobFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * What a thread reports: that it started, how far it is, then the outcome. Errors lose their class between threads, so
 * they travel as text.
 */
export type JobMessage<Result> =
  | { readonly kind: 'begun'; readonly taskId: string | undefined }
  | { readonly kind: 'progress'; readonly text: string }
  | JobOutcome<Result>;

export type JobOutcome<Result> =
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'failed'; readonly reason: string };

/** A warm thread does the next job in half the time. */
const KEPT_MS = 30_000;

/**
 * Threads for work on untrusted input, which may take any amount of time and memory: a few at a time, each job with
 * limits and a way to stop it. One idle thread is kept for a while; it never keeps the process alive.
 */
export class JobThreads<Job, Result> {
  readonly #options: JobThreadsOptions;
  readonly #turns: ReturnType<typeof pLimit>;
  #idle: { readonly thread: Worker; readonly timer: NodeJS.Timeout } | undefined;

  constructor(options: JobThreadsOptions) {
    this.#options = options;
    this.#turns = pLimit(options.maxThreads);
  }

  /** Rejects with the signal's reason as soon as it aborts, or with `JobFailure`. */
  run(job: Job, limits: JobLimits): Promise<Result> {
    const turn = this.#turns(() => this.#run(job, limits));
    return untilAborted(turn, limits.signal);
  }

  async #run(job: Job, limits: JobLimits): Promise<Result> {
    limits.signal.throwIfAborted();
    const thread = this.#takeIdle() ?? this.#start();
    let outcome: JobOutcome<Result>;
    try {
      outcome = await outcomeOf<Job, Result>(thread, job, limits, this.#options.maxMemoryMb);
    } catch (error) {
      await thread.terminate();
      throw error;
    }
    this.#keep(thread);
    if (outcome.kind === 'failed') throw new JobFailure('failed', outcome.reason);
    return outcome.result;
  }

  #start(): Worker {
    const { entry, maxMemoryMb } = this.#options;
    const thread = new Worker(entry(), { resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb } });
    // A waiting caller is told; an error while nobody waits must not end the process.
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      if (this.#idle?.thread === thread) this.#takeIdle();
    });
    return thread;
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

/** Rejects if the thread can no longer be used. */
async function outcomeOf<Job, Result>(
  thread: Worker,
  job: Job,
  { signal, timeoutMs, onProgress }: JobLimits,
  maxMemoryMb: number,
): Promise<JobOutcome<Result>> {
  let resolve: (outcome: JobOutcome<Result>) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<JobOutcome<Result>>((onResolved, onRejected) => {
    resolve = onResolved;
    reject = onRejected;
  });
  const clock = new WorkClock(thread, timeoutMs, reject);
  const hear = (message: JobMessage<Result>) => {
    if (message.kind === 'begun') void clock.start(message.taskId);
    else if (message.kind === 'progress') onProgress?.(message.text);
    else resolve(message);
  };
  const stop = () => reject(signal.reason);
  const fail = (error: unknown) => {
    const isMemory = systemCode(error) === 'ERR_WORKER_OUT_OF_MEMORY';
    const reason = isMemory ? `it took more than ${maxMemoryMb} MB of memory` : errorMessage(error);
    reject(new JobFailure(isMemory ? 'out-of-memory' : 'failed', reason, { cause: error }));
  };
  const end = () => reject(new JobFailure('failed', 'its thread ended'));
  signal.addEventListener('abort', stop, { once: true });
  // One by one: removeAllListeners() would also remove the listeners that the worker itself needs.
  thread.on('message', hear).once('messageerror', fail).once('error', fail).once('exit', end);
  try {
    thread.postMessage(job);
    return await promise;
  } finally {
    clock.stop();
    signal.removeEventListener('abort', stop);
    thread.off('message', hear).off('messageerror', fail).off('error', fail).off('exit', end);
  }
}

/** Ends a job that has used its processor time. */
class WorkClock {
  readonly #thread: Worker;
  readonly #limitMs: number;
  readonly #end: (failure: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(thread: Worker, limitMs: number, end: (failure: unknown) => void) {
    this.#thread = thread;
    this.#limitMs = limitMs;
    this.#end = end;
  }

  async start(taskId: string | undefined): Promise<void> {
    const startedMs = await this.#usedMs(taskId);
    const check = async () => {
      const leftMs = this.#limitMs - ((await this.#usedMs(taskId)) - startedMs);
      if (leftMs > 0) this.#checkIn(leftMs, check);
      else this.#end(new JobFailure('timed-out', `it took longer than ${this.#limitMs} ms`));
    };
    this.#checkIn(this.#limitMs, check);
  }

  async #usedMs(taskId: string | undefined): Promise<number> {
    try {
      return await threadTimeMs(this.#thread, taskId);
    } catch (error) {
      // That the thread has ended is told by its event, which says more.
      if (systemCode(error) !== 'ERR_WORKER_NOT_RUNNING') this.#end(error);
      return 0;
    }
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Waits before the next check. A thread can't use more processor time than passes on the clock, so it is not late. */
  #checkIn(leftMs: number, check: () => Promise<void>): void {
    if (!this.#isStopped) this.#timer = setTimeout(() => void check(), Math.max(leftMs, LEAST_WAIT_MS));
  }
}

const LEAST_WAIT_MS = 20;

/**
 * The code of a worker thread, or of a process of our own. In the sources it is beside the calling module (`from` is
 * its `import.meta.url`), or where `source` says; in a build it is beside the entries, while the caller may be in a
 * chunk one folder down. `new Worker(new URL('…', import.meta.url))` would be shorter, but every bundler rewrites it
 * differently. Each name is an entry of vite.config.ts.
 */
export function workerUrl(name: string, from: string, source = `${name}.ts`): URL {
  const candidates = from.endsWith('.ts') ? [source] : [`${name}.js`, `../${name}.js`];
  const urls = candidates.map((candidate) => new URL(candidate, from));
  const url = urls.find((candidate) => existsSync(candidate));
  if (url === undefined) throw new Error(`The build lacks ${name}.js; it was looked for at ${urls.join(' and ')}.`);
  return url;
}
