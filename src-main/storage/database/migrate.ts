import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import { openWritable, type WritableDatabase } from './connection.ts';
import { convertEvents } from './convert-events.ts';
import { createBaseSchema } from './migrations/base-schema.ts';
import type { EventConverter, Migration } from './migrations/migration.ts';
import { APPLICATION_ID, migrationsAfter, newestSchema } from './schema.ts';
import { isDamagedFile, StorageError, toStorageError } from './storage-error.ts';

/**
 * Makes a new database with all migrations applied, private to this user and without a write-ahead log, so that it is a
 * single file.
 */
export function createDatabase(file: string, migrations: readonly Migration[]): void {
  closeSync(openSync(file, 'wx', 0o600));
  const connection = openWritable(file);
  try {
    connection.transaction(() => {
      connection.database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      createBaseSchema(connection.database);
      for (const migration of migrations) migration.up(connection.database);
      connection.database.exec(`PRAGMA user_version = ${newestSchema(migrations)}`);
    });
  } finally {
    connection.close();
  }
}

/**
 * Brings an existing database up to date in one transaction: whatever happens on the way, the version that wrote it can
 * still open it, and the next start begins again. A backup must have been made.
 */
export async function migrateDatabase(file: string, migrations: readonly Migration[]): Promise<void> {
  const connection = openWritable(file);
  try {
    connection.prepareForWriting();
    await applySteps(connection, migrations, file);
  } finally {
    connection.close();
  }
}

/** Migrates a copy that is not open elsewhere, without a write-ahead log, so that it stays a single file. */
export async function migrateCopy(file: string, migrations: readonly Migration[]): Promise<void> {
  const connection = openWritable(file);
  try {
    connection.database.exec('PRAGMA journal_mode = DELETE');
    await applySteps(connection, migrations, file);
  } finally {
    connection.close();
  }
}

/** No one else may have the database open. */
async function applySteps(connection: WritableDatabase, migrations: readonly Migration[], file: string): Promise<void> {
  const first = connection.pragma('user_version');
  // A transaction can't wait.
  const loading = migrationsAfter(first, migrations).map(async (migration) => ({
    migration,
    eventConverter: await migration.loadEventConverter?.(),
  }));
  const steps = await Promise.all(loading);
  connection.transaction(() => {
    for (const [index, step] of steps.entries()) applyStep(connection, step, first + index + 1, file);
  });
}

interface Step {
  readonly migration: Migration;
  readonly eventConverter: (() => EventConverter) | undefined;
}

function applyStep(
  connection: WritableDatabase,
  { migration, eventConverter }: Step,
  version: number,
  file: string,
): void {
  try {
    migration.up(connection.database);
    if (eventConverter) convertEvents(connection.database, eventConverter());
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
