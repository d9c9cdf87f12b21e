import { statSync } from 'node:fs';
import type { FileLock } from '../../base/file-lock.ts';
import { isSqliteFailure } from '../../base/sqlite-failure.ts';
import { integrityFault } from '../backups/backup-database.ts';
import { inspectDatabase } from './condition.ts';
import type { ReadableDatabase, WritableDatabase } from './connection.ts';
import type { ProfileFiles } from './profile-folder.ts';
import { type RepairContext, repairDatabase, type StorageNotice } from './repair.ts';
import { newestSchema } from './schema.ts';
import { damageIn, StorageError, toStorageError } from './storage-error.ts';

export interface DatabaseContext extends RepairContext {
  readonly notice: (notice: StorageNotice) => void;
}

/** About what seven short runs of `ask` write. */
const LARGE_LOG_BYTES = 1_048_576;
const PAUSE_MS = 50;
/** The process is blocked while it waits: long enough for another process to repair a database of usual size. */
const WAIT_FOR_TURN_ATTEMPTS = 100;
/** Processes that only check the lock release it quickly; those that use the database do not. */
const WAIT_TO_BE_ALONE_ATTEMPTS = 20;

/**
 * The database of a profile. Every process that has it open holds a shared lock on the profile; replacing the file
 * (repair, restore, migration) takes the exclusive lock, so that no one keeps writing to a replaced file.
 */
export class Database {
  readonly files: ProfileFiles;
  readonly #context: DatabaseContext;
  readonly #profileLock: FileLock;
  #connection: WritableDatabase | undefined;
  #state: 'usable' | 'being replaced' | 'closed' = 'usable';

  /** Takes over `profileLock`, which is held shared. */
  constructor(files: ProfileFiles, context: DatabaseContext, profileLock: FileLock, connection: WritableDatabase) {
    this.files = files;
    this.#context = context;
    this.#profileLock = profileLock;
    this.#connection = connection;
  }

  now(): Date {
    return this.#context.now();
  }

  notice(notice: StorageNotice): void {
    this.#context.notice(notice);
  }

  /**
   * Runs one piece of work. If it meets damage, the database is repaired and the work is tried again, so it must be all
   * or nothing. Throws `StorageError`.
   */
  write<T>(work: (connection: WritableDatabase) => T): T {
    for (let repairs = 0; ; repairs++) {
      try {
        return work(this.#open());
      } catch (error) {
        const damage = damageIn(error);
        if (damage === undefined || repairs === 2) throw toStorageError(error, this.files.directory);
        this.repair(damage, { evenIfItLooksWhole: repairs === 1 });
      }
    }
  }

  /** Runs work that changes nothing in the same way. */
  read<T>(work: (connection: ReadableDatabase) => T): T {
    return this.write(work);
  }

  /**
   * Blocks while it salvages. Throws `StorageError` `database_damaged` while other processes have the database open.
   */
  repair(reason: string, options: { evenIfItLooksWhole?: boolean } = {}): void {
    this.#refuseUnlessUsable();
    this.#disconnect();
    if (!untilTrue(() => this.#profileLock.tryExclusive(), WAIT_TO_BE_ALONE_ATTEMPTS)) {
      throw new StorageError(
        'database_damaged',
        `The database in ${this.files.directory} is damaged (${reason}). It can be repaired once no other Steward uses this profile: close the others and try again. Nothing was changed.`,
      );
    }
    try {
      const fault = this.#findFault() ?? (options.evenIfItLooksWhole ? reason : undefined);
      if (fault !== undefined) this.#context.notice(repairDatabase(this.files, fault, this.#context));
    } catch (error) {
      throw toStorageError(error, this.files.directory);
    } finally {
      this.#profileLock.release();
    }
  }

  /**
   * Lets `replace` replace the database file while no process has it open. Throws `StorageError` `database_in_use` if
   * others do; nothing was done then.
   */
  async replace(replace: () => Promise<void>): Promise<void> {
    this.#open();
    this.#disconnect();
    if (!untilTrue(() => this.#profileLock.tryExclusive(), WAIT_TO_BE_ALONE_ATTEMPTS)) {
      throw new StorageError(
        'database_in_use',
        `Another Steward uses the profile ${this.files.directory}. Close it and try again; nothing was changed.`,
      );
    }
    this.#state = 'being replaced';
    try {
      await replace();
    } finally {
      this.#profileLock.release();
      this.#state = 'usable';
    }
  }

  close(): void {
    if (this.#state === 'closed') return;
    this.#emptyLargeLog();
    this.#disconnect();
    this.#state = 'closed';
    this.#profileLock.close();
  }

  /**
   * The next start reads all of the log (`refuseOtherVersions`). SQLite empties it at the last close, but one for older
   * versions of Node closes late: see `base/sqlite.ts`.
   */
  #emptyLargeLog(): void {
    const log = statSync(`${this.files.database}-wal`, { throwIfNoEntry: false });
    if (log === undefined || log.size < LARGE_LOG_BYTES) return;
    try {
      this.#connection?.emptyLog();
    } catch (error) {
      // A full or failing disk: what is in the log is committed, and whoever opens the profile next says what is wrong.
      if (!isSqliteFailure(error)) throw error;
    }
  }

  #open(): WritableDatabase {
    if (this.#connection === undefined) {
      this.#refuseUnlessUsable();
      this.#connection = this.#connect();
    }
    return this.#connection;
  }

  #refuseUnlessUsable(): void {
    const { directory } = this.files;
    if (this.#state === 'closed') throw new StorageError('storage_closed', `The database in ${directory} was closed.`);
    if (this.#state === 'being replaced') {
      throw new StorageError(
        'database_in_use',
        `The database in ${directory} is being restored. Try again in a moment.`,
      );
    }
  }

  #connect(): WritableDatabase {
    if (!untilTrue(() => this.#profileLock.tryShared(), WAIT_FOR_TURN_ATTEMPTS)) {
      throw new StorageError(
        'database_busy',
        `Another Steward is repairing or restoring the database in ${this.files.directory}. Try again in a moment.`,
      );
    }
    const condition = inspectDatabase(this.files, newestSchema(this.#context.migrations));
    if (condition.kind === 'ready') return condition.connection;
    this.#profileLock.release();
    const reason = condition.kind === 'damaged' ? condition.reason : `it is ${condition.kind}`;
    throw new StorageError(
      condition.kind === 'damaged' ? 'database_damaged' : 'database_error',
      `The database in ${this.files.directory} cannot be used: ${reason}. Start Steward again.`,
    );
  }

  /** The lock is released only after the connection is closed: otherwise the file could be replaced in between. */
  #disconnect(): void {
    this.#connection?.close();
    this.#connection = undefined;
    this.#profileLock.release();
  }

  #findFault(): string | undefined {
    const condition = inspectDatabase(this.files, newestSchema(this.#context.migrations));
    if (condition.kind === 'damaged') return condition.reason;
    if (condition.kind !== 'ready') return undefined;
    try {
      return integrityFault(condition.connection);
    } catch (error) {
      return damageIn(error);
    } finally {
      condition.connection.close();
    }
  }
}

function untilTrue(attempt: () => boolean, attempts: number): boolean {
  for (let made = 1; ; made++) {
    if (attempt()) return true;
    if (made === attempts) return false;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}
