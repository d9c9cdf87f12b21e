import { constants, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileLock } from '../../base/file-lock.ts';
import { renameOverSync } from '../../base/rename-over.ts';
import type { Database, DatabaseContext } from '../database/database.ts';
import { migrateCopy } from '../database/migrate.ts';
import { BASE_SCHEMA } from '../database/migrations/base-schema.ts';
import { prepareDatabase } from '../database/open-database.ts';
import type { RowCounts } from '../database/row-counts.ts';
import { newestSchema } from '../database/schema.ts';
import { schemaVersionOf } from '../database/schema-version.ts';
import { replaceDatabase } from '../database/set-aside.ts';
import { damageIn, StorageError, toStorageError } from '../database/storage-error.ts';
import { runInWorker } from '../worker/worker-jobs.ts';
import { syncToDisk } from './backup-database.ts';
import {
  type Backup,
  dateOf,
  listBackups,
  nextBackupName,
  pruneBackups,
  removeUnfinishedBackups,
} from './backup-names.ts';
import { keepDecisions } from './keep-decisions.ts';

export interface RestoredBackup {
  readonly restored: Backup;
  readonly counts: RowCounts;
  /** File name in the profile under which the replaced database is kept. */
  readonly setAside: string;
}

export interface Backups {
  /** Newest first. */
  list(): Backup[];
  /**
   * Makes and verifies today's backup unless it exists, in a worker thread; keeps the last five. Never rejects: a
   * failed backup is reported by the notice `backup_failed`, and damage that it finds is repaired (notice
   * `database_damaged`).
   */
  makeDaily(): Promise<void>;
  /**
   * Verifies the backup, sets the current database aside and replaces it with the backup, except for permissions and
   * unreviewed files, whose current rows are kept (`keepDecisions`). Rejects with `StorageError` (`copy_unknown`,
   * `copy_too_new`, `copy_too_old`, `copy_failed`, `database_in_use`, …); the current database then stays in place.
   */
  restore(name: string): Promise<RestoredBackup>;
  /** Waits for a backup in progress. */
  settle(): Promise<void>;
}

export function createBackups(database: Database, context: DatabaseContext): Backups {
  const daily = new DailyBackup(database, context);
  return {
    list: () => listBackups(database.files.backups),
    makeDaily: () => daily.make(),
    restore: (name) => restoreBackup(name, database, context),
    settle: () => daily.settle(),
  };
}

class DailyBackup {
  readonly #database: Database;
  readonly #context: DatabaseContext;
  #running: Promise<void> | undefined;

  constructor(database: Database, context: DatabaseContext) {
    this.#database = database;
    this.#context = context;
  }

  make(): Promise<void> {
    this.#running ??= this.#makeOnce().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async settle(): Promise<void> {
    await this.#running;
  }

  async #makeOnce(): Promise<void> {
    const { files } = this.#database;
    let lock: FileLock | undefined;
    try {
      if (this.#hasTodays()) return;
      lock = new FileLock(join(files.locks, 'copies.lock'));
      // The holder of the lock is making today's backup.
      if (!lock.tryExclusive() || this.#hasTodays()) return;
      removeUnfinishedBackups(files.backups);
      const target = join(files.backups, nextBackupName(files.backups, { code: 'daily' }, this.#context.now()));
      await runInWorker({ kind: 'backup', directory: files.directory, source: files.database, target });
      pruneBackups(files.backups);
    } catch (error) {
      this.#reportFailure(error);
    } finally {
      lock?.close();
    }
  }

  #hasTodays(): boolean {
    const today = dateOf(this.#context.now());
    return listBackups(this.#database.files.backups).some(
      (backup) => backup.reason.code === 'daily' && backup.date === today,
    );
  }

  #reportFailure(error: unknown): void {
    try {
      const damage = damageIn(error);
      if (damage !== undefined) {
        this.#database.repair(damage);
        return;
      }
      const { message } = toStorageError(error, this.#database.files.directory);
      this.#context.notice({ code: 'backup_failed', message: `Today's backup of the database failed: ${message}` });
    } catch (failure) {
      const { code, message } = toStorageError(failure, this.#database.files.directory);
      this.#context.notice({ code, message });
    }
  }
}

async function restoreBackup(name: string, database: Database, context: DatabaseContext): Promise<RestoredBackup> {
  const { files } = database;
  const backups = listBackups(files.backups);
  const restored = backups.find((backup) => backup.name === name);
  if (restored === undefined) {
    const known = backups.map((backup) => backup.name).join(', ') || 'none yet';
    throw new StorageError('copy_unknown', `There is no copy ${name} in ${files.backups}. Copies: ${known}.`);
  }
  const source = join(files.backups, name);
  refuseOtherSchemas(source, name, newestSchema(context.migrations));
  const counts = await runInWorker({ kind: 'verify', file: source });
  let setAside = '';
  try {
    await database.replace(async () => {
      const fresh = `${files.database}.new`;
      copyFileSync(source, fresh, constants.COPYFILE_FICLONE);
      // The backup itself stays unchanged in its folder.
      await migrateCopy(fresh, context.migrations);
      keepDecisions(files.database, fresh);
      syncToDisk(fresh);
      renameOverSync(fresh, files.replacement);
      setAside = replaceDatabase(files, 'before-restore') ?? '';
      await prepareDatabase(files, context);
    });
  } catch (error) {
    throw toStorageError(error, files.directory);
  }
  return { restored, counts, setAside };
}

/** What is no database of Steward is found out when it is verified. */
function refuseOtherSchemas(source: string, name: string, known: number): void {
  const found = schemaVersionOf(source);
  if (found === undefined) return;
  if (found > known)
    throw new StorageError(
      'copy_too_new',
      `The backup ${name} was made by a newer version of Steward (version ${found}, this version knows ${known}). Install that version to restore it. Nothing was changed.`,
    );
  if (found < BASE_SCHEMA)
    throw new StorageError(
      'copy_too_old',
      `The backup ${name} was made by an early version of Steward (version ${found}, this version reads ${BASE_SCHEMA} and newer). A Steward from the end of November 2026 can restore and upgrade it. Nothing was changed.`,
    );
}
