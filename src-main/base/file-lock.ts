import { setTimeout as wait } from 'node:timers/promises';
import { openSqlite, type SqliteDatabase } from './sqlite.ts';
import { isBusy } from './sqlite-failure.ts';

const RETRY_MS = 15;

/**
 * A lock on a file between processes (and between connections of one process): many shared holders or one exclusive.
 * It is SQLite's own file lock on an empty file, so the operating system releases it however its holder dies, and no
 * clock is involved. Nothing may open and close such a file by other means while it is held: on POSIX that
 * would drop the lock (https://sqlite.org/howtocorrupt.html, section 2.2).
 */
export class FileLock {
  readonly #database: SqliteDatabase;
  #held: 'none' | 'shared' | 'exclusive' = 'none';

  /** Creates the file if needed. `waitMs` is how long a `try` blocks while another process holds the lock. */
  constructor(file: string, options: { waitMs?: number } = {}) {
    this.#database = openSqlite(file);
    this.#database.exec(`PRAGMA busy_timeout = ${options.waitMs ?? 0}`);
  }

  tryShared(): boolean {
    return this.#try('shared', () => {
      // The lock is taken by the first read and kept until the transaction ends.
      this.#database.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    });
  }

  tryExclusive(): boolean {
    return this.#try('exclusive', () => this.#database.exec('BEGIN EXCLUSIVE'));
  }

  release(): void {
    if (this.#held === 'none') return;
    this.#database.exec('ROLLBACK');
    this.#held = 'none';
  }

  /** Releases and closes; the lock cannot be used afterwards. */
  close(): void {
    this.release();
    this.#database.close();
  }

  #try(kind: 'shared' | 'exclusive', take: () => void): boolean {
    if (this.#held === kind) return true;
    this.release();
    try {
      take();
    } catch (error) {
      if (!isBusy(error)) throw error;
      // `BEGIN` alone may have succeeded before the read was refused.
      if (kind === 'shared') this.#database.exec('ROLLBACK');
      return false;
    }
    this.#held = kind;
    return true;
  }
}

/** A live process held the lock for the whole waiting time. */
export class FileLockHeld extends Error {
  override readonly name = 'FileLockHeld';
}

/**
 * Runs `action` while holding the exclusive lock on `file`, across processes; its folder must exist. Waiting does not
 * block the thread. Rejects with `FileLockHeld` after `waitMs`, with SQLite's error if the file can't be opened, and
 * with what `action` rejects with.
 */
export async function withFileLock<T>(
  file: string,
  action: () => Promise<T>,
  { waitMs = 10_000 }: { waitMs?: number } = {},
): Promise<T> {
  const lock = new FileLock(file);
  try {
    const until = performance.now() + waitMs;
    while (!lock.tryExclusive()) {
      if (performance.now() > until) throw new FileLockHeld(`${file} is held by another process.`);
      // Random, so that waiting processes do not retry in step.
      await wait(RETRY_MS * (0.5 + Math.random()));
    }
    return await action();
  } finally {
    lock.close();
  }
}
