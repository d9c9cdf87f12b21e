import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import { Connection } from './connection.ts';
import type { Migration } from './migrations/migration.ts';
import { APPLICATION_ID } from './schema.ts';
import { isDamagedFile, StorageError, toStorageError } from './storage-error.ts';

/** Makes a new database with all migrations applied, private to this user and without a write-ahead log, so that it is a single file. */
export function createDatabase(file: string, migrations: readonly Migration[]): void {
  closeSync(openSync(file, 'wx', 0o600));
  const connection = new Connection(file);
  try {
    connection.transaction(() => {
      connection.database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      for (const migration of migrations) migration.up(connection.database);
      connection.database.exec(`PRAGMA user_version = ${migrations.length}`);
    });
  } finally {
    connection.close();
  }
}

/**
 * Brings an existing database up to date, one transaction per step. `backupBefore(version)` must have made and verified a backup when it
 * resolves; if it rejects, neither that step nor any after it runs.
 */
export async function migrateDatabase(
  file: string,
  migrations: readonly Migration[],
  backupBefore: (version: number) => Promise<void>,
): Promise<void> {
  const connection = new Connection(file);
  try {
    connection.prepareForWriting();
    for (let version = connection.pragma('user_version'); version < migrations.length; version++) {
      const migration = migrations[version];
      if (migration === undefined) break;
      await backupBefore(version + 1);
      connection.transaction(() => {
        // Another process may have been faster.
        if (connection.pragma('user_version') === version) applyStep(connection, migration, version + 1, file);
      });
    }
  } finally {
    connection.close();
  }
}

/** Migrates a copy that is not open elsewhere, without a write-ahead log, so that it stays a single file. */
export function migrateCopy(file: string, migrations: readonly Migration[]): void {
  const connection = new Connection(file);
  try {
    connection.database.exec('PRAGMA journal_mode = DELETE');
    const first = connection.pragma('user_version');
    for (const [index, migration] of migrations.slice(first).entries())
      connection.transaction(() => applyStep(connection, migration, first + index + 1, file));
  } finally {
    connection.close();
  }
}

function applyStep(connection: Connection, migration: Migration, version: number, file: string): void {
  try {
    migration.up(connection.database);
    connection.database.exec(`PRAGMA user_version = ${version}`);
  } catch (error) {
    // If a step does not find a table, the step is wrong, not the file damaged.
    if (isDamagedFile(error)) throw error;
    const known = toStorageError(error, dirname(file));
    if (known.code !== 'database_error' && known.code !== 'database_damaged') throw known;
    const reason = errorMessage(error);
    throw new StorageError(
      'migration_failed',
      `The database ${file} could not be upgraded to version ${version} (${migration.name}): ${reason}. It was left unchanged. The backup made beforehand is in the backups folder.`,
      error,
    );
  }
}
