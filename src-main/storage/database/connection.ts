import { openSqlite, type SqliteDatabase, type SqliteStatement, type SqlValue } from '../../base/sqlite.ts';

const BUSY_TIMEOUT_MS = 10_000;
/**
 * The limit is 32 MiB. A checkpoint waits for the disk, so a worker does it, and this applies only if the worker could
 * not.
 */
const CHECKPOINT_AT_LAST_PAGES = 8_000;

/** A query whose rows have the columns of `Row`. This is not checked: the query must ensure it. */
export interface ReadStatement<Row> {
  get(...parameters: SqlValue[]): Row | undefined;
  all(...parameters: SqlValue[]): Row[];
  iterate(...parameters: SqlValue[]): IterableIterator<Row>;
}

export interface Statement<Row> extends ReadStatement<Row>, Pick<SqliteStatement, 'run'> {}

type AnyRow = Readonly<Record<string, SqlValue>>;

/**
 * An open database that is only read. It has nothing to write with, so code that gets one can't hand it to a function
 * that writes; one from `openReadable` would also be refused by SQLite.
 */
export interface ReadableDatabase {
  /** Each statement is prepared once. */
  statement<Row = AnyRow>(sql: string): ReadStatement<Row>;
  pragma(name: 'user_version' | 'application_id' | 'page_count' | 'page_size' | 'data_version'): number;
  /** Writes all that it contains to a new file. */
  copyInto(file: string): void;
  close(): void;
}

export interface WritableDatabase extends ReadableDatabase {
  /** The connection itself, for settings and statements that run once. */
  readonly database: SqliteDatabase;
  statement<Row = AnyRow>(sql: string): Statement<Row>;
  /** All of `work` is committed, or none. Takes the write lock first, so that what it reads can't be outdated. */
  transaction<T>(work: () => T): T;
  /** What `work` commits is on the disk when this returns. It must not be called within a transaction. */
  durably<T>(work: () => T): T;
  /**
   * What `work` deletes is overwritten with zeros, instead of lying in free pages until they are used again. It must
   * not be called within a transaction.
   */
  overwriting<T>(work: () => T): T;
  /**
   * Write-ahead log, and commits that don't wait for the disk: a killed process loses nothing, and a power failure
   * never damages the file (https://sqlite.org/pragma.html#pragma_synchronous).
   */
  prepareForWriting(): void;
  /** Moves the write-ahead log into the database as far as other connections allow. Waits for the disk. */
  checkpoint(): void;
  /** Moves the log into the database in the same way and leaves it empty, unless another connection uses it now. */
  emptyLog(): void;
}

/** The file must exist, and nothing is written to it, not even at close. */
export function openReadable(file: string): ReadableDatabase {
  return new Connection(file, { readOnly: true });
}

export function openWritable(file: string): WritableDatabase {
  return new Connection(file, { readOnly: false });
}

/** A connection with the settings that all our connections have. */
class Connection implements WritableDatabase {
  readonly database: SqliteDatabase;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(file: string, options: { readonly readOnly: boolean }) {
    this.database = openSqlite(file, options);
    this.database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }

  prepareForWriting(): void {
    this.database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
    this.database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_AT_LAST_PAGES}`);
  }

  durably<T>(work: () => T): T {
    this.database.exec('PRAGMA synchronous = FULL');
    try {
      return work();
    } finally {
      this.database.exec('PRAGMA synchronous = NORMAL');
    }
  }

  overwriting<T>(work: () => T): T {
    this.database.exec('PRAGMA secure_delete = ON');
    try {
      return work();
    } finally {
      this.database.exec('PRAGMA secure_delete = OFF');
    }
  }

  statement<Row = AnyRow>(sql: string): Statement<Row> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  pragma(name: 'user_version' | 'application_id' | 'page_count' | 'page_size' | 'data_version'): number {
    const row = this.statement<Readonly<Record<string, number>>>(`PRAGMA ${name}`).get();
    return row?.[name] ?? 0;
  }

  transaction<T>(work: () => T): T {
    this.statement('BEGIN IMMEDIATE').run();
    try {
      const result = work();
      this.statement('COMMIT').run();
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  copyInto(file: string): void {
    this.database.prepare('VACUUM INTO ?').run(file);
  }

  checkpoint(): void {
    this.database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  }

  emptyLog(): void {
    this.database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    this.database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }

  close(): void {
    this.#statements.clear();
    this.database.close();
  }

  #rollBack(): void {
    try {
      this.statement('ROLLBACK').run();
    } catch (error) {
      // On a full disk or a damaged page SQLite has already rolled back; the first error is the relevant one.
      if (!/no transaction is active/.test(String(error))) throw error;
    }
  }
}
