import { setTimeout as wait } from 'node:timers/promises';
import { openSqlite, type SqliteDatabase } from './sqlite.ts';
import { isBusy } from './sqlite-failure.ts';

const RETRY_MS = 15;

/**
 * A lock on a file between processes (and between connections of one process): many shared holders or one exclusive.
 * It is SQLite's own file lock, taken on an empty file, so the system drops it when its holder dies, however it dies,
 * and no clock is involved. Nothing may open and close such a file by other means while it is held: on POSIX that
 * would drop the lock (https://sqlite.org/howtocorrupt.html, section 2.2).
 */
export class FileLock {
  readonly #database: SqliteDatabase;
  #held: 'none' | 'shared' | 'exclusive' = 'none';

  /** Creates the file if needed. `waitMs`: how long a `try` blocks while another holder is in the way. */
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

/** Somebody who lives has held the lock for as long as was waited. */
export class FileLockHeld extends Error {
  override readonly name = 'FileLockHeld';
}

/**
 * Runs `action` while nobody else, in this process or another, holds the lock on `file`; its folder must exist. Those who wait
 * keep their thread free. Rejects with `FileLockHeld` after `waitMs`, with what SQLite threw where the file cannot be opened, and
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
      // At random, so that those who wait do not ask in step.
      await wait(RETRY_MS * (0.5 + Math.random()));
    }
    return await action();
  } finally {
    lock.close();
  }
}
