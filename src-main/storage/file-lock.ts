import { openSqlite, type SqliteDatabase } from './sqlite.ts';
import { isBusy } from './storage-error.ts';

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
