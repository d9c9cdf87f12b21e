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
 * Brings an existing database up to date in one transaction: whatever happens on the way, the version that wrote it can still open it, and the
 * next start begins again. A backup must have been made.
 */
export function migrateDatabase(file: string, migrations: readonly Migration[]): void {
  const connection = new Connection(file);
  try {
    connection.prepareForWriting();
    applySteps(connection, migrations, file);
  } finally {
    connection.close();
  }
}

/** Migrates a copy that is not open elsewhere, without a write-ahead log, so that it stays a single file. */
export function migrateCopy(file: string, migrations: readonly Migration[]): void {
  const connection = new Connection(file);
  try {
    connection.database.exec('PRAGMA journal_mode = DELETE');
    applySteps(connection, migrations, file);
  } finally {
    connection.close();
  }
}

function applySteps(connection: Connection, migrations: readonly Migration[], file: string): void {
  connection.transaction(() => {
    const first = connection.pragma('user_version');
    for (const [index, migration] of migrations.slice(first).entries())
      applyStep(connection, migration, first + index + 1, file);
  });
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
      `The database ${file} could not be upgraded to version ${version} (${migration.name}): ${reason}. Nothing was changed, so the version of Steward that you used before can still open it.`,
      error,
    );
  }
}
