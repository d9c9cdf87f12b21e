import { appendFileSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { FileLock } from './file-lock.ts';
import { renameOverSync } from './rename-over.ts';

export interface RotatedFileOptions {
  /** Absolute; its folder is created when the first line is written. */
  readonly path: string;
  /** Once it is larger, it becomes `PATH.1` and a new one begins; the one before becomes `PATH.2`. */
  readonly maxBytes: number;
  /** How many older ones are kept. */
  readonly older: number;
  /** It is called once, with the first error. */
  readonly onError?: (error: unknown) => void;
}

/** Lines come in bursts, so one write takes all of them. */
const WRITE_AFTER_MS = 200;
/** What may wait to be written, so that a flood costs no memory. What exceeds it is dropped, and the file says so. */
const MAX_WAITING_BYTES = 256 * 1024;

/** Only one process at a time renames; the others go on with the file as it is. */
const LOCK = '.lock';

/**
 * A text file to which any number of processes append lines, bounded in size. Lines are whole: each write is one
 * append. It never throws: what can't be written is lost.
 */
export class RotatedFile {
  readonly #options: RotatedFileOptions;
  #waiting: string[] = [];
  #bytes = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #hasFailed = false;

  constructor(options: RotatedFileOptions) {
    this.#options = options;
  }

  get path(): string {
    return this.#options.path;
  }

  /** `line` is without its end, and has none inside. */
  append(line: string): void {
    const bytes = Buffer.byteLength(line) + 1;
    if (this.#bytes + bytes > MAX_WAITING_BYTES) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(line);
    this.#bytes += bytes;
    this.#timer ??= setTimeout(() => this.flush(), WRITE_AFTER_MS);
    this.#timer.unref();
  }

  /** Writes what waits. Call it before the process ends. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length === 0) return;
    const more = this.#dropped === 0 ? [] : [`(${this.#dropped} lines came too fast and are missing here)`];
    const text = [...this.#waiting, ...more].map((line) => `${line}\n`).join('');
    this.#waiting = [];
    this.#bytes = 0;
    this.#dropped = 0;
    try {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
      this.#rotate();
    } catch (error) {
      this.#failed(error);
    }
    try {
      appendFileSync(this.path, text, { mode: 0o600 });
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    if (!this.#hasFailed) this.#options.onError?.(error);
    this.#hasFailed = true;
  }

  #rotate(): void {
    if (sizeOf(this.path) < this.#options.maxBytes) return;
    const lock = new FileLock(`${this.path}${LOCK}`);
    try {
      // Another process may be at it, or have just done it.
      if (!lock.tryExclusive() || sizeOf(this.path) < this.#options.maxBytes) return;
      for (let number = this.#options.older; number > 0; number--) {
        const from = number === 1 ? this.path : `${this.path}.${number - 1}`;
        if (sizeOf(from) >= 0) renameOverSync(from, `${this.path}.${number}`);
      }
    } finally {
      lock.close();
    }
  }
}

/** -1: it does not exist. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? -1;
}
