import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../../base/errors.ts';
import { FileLock } from '../../base/file-lock.ts';
import { renameOverSync } from '../../base/rename-over.ts';
import { listBackups, nextBackupName, pruneBackups } from '../backups/backup-names.ts';
import { runInWorker } from '../worker/worker-jobs.ts';
import { type Condition, inspectDatabase } from './condition.ts';
import type { WritableDatabase } from './connection.ts';
import { loadEventConverter } from './convert-events.ts';
import { Database, type DatabaseContext } from './database.ts';
import { createDatabase, migrateDatabase } from './migrate.ts';
import { keepPrivate, type ProfileFiles } from './profile-folder.ts';
import { newDatabaseNotice, repairDatabase } from './repair.ts';
import { newestSchema } from './schema.ts';
import { finishReplacement, replaceDatabase } from './set-aside.ts';
import { damageIn, StorageError, toStorageError } from './storage-error.ts';

const POLL_MS = 20;
/** Another process may be salvaging or migrating a large database. */
const WAIT_FOR_TURN_MS = 120_000;
/** A process that merely has the database open may keep it for hours: not worth waiting for. */
const WAIT_TO_BE_ALONE_MS = 5_000;

/**
 * Opens the database of a profile, creating, migrating or repairing it first if necessary and while no other process
 * has it open. Any number of processes may do this at once. Throws `StorageError`.
 */
export async function openDatabase(files: ProfileFiles, context: DatabaseContext): Promise<Database> {
  let profileLock: FileLock | undefined;
  try {
    profileLock = new FileLock(join(files.locks, 'profile.lock'));
    const connection = await connect(files, context, profileLock);
    keepPrivate(files.database);
    return new Database(files, context, profileLock, connection);
  } catch (error) {
    profileLock?.close();
    throw toStorageError(error, files.directory);
  }
}

/**
 * Resolves with `profileLock` held shared. Each round checks again: another process may have done the work meanwhile.
 */
async function connect(
  files: ProfileFiles,
  context: DatabaseContext,
  profileLock: FileLock,
): Promise<WritableDatabase> {
  // Counted in rounds, so that clock changes neither end nor prolong the wait.
  const waitedMs = { forTurn: 0, toBeAlone: 0 };
  for (let prepared = 0; prepared < 3; ) {
    if (profileLock.tryShared()) {
      const condition = inspectDatabase(files, newestSchema(context.migrations));
      if (condition.kind === 'ready') return condition.connection;
      if (profileLock.tryExclusive()) {
        await prepareDatabase(files, context);
        profileLock.release();
        prepared += 1;
        continue;
      }
      waitedMs.toBeAlone += POLL_MS;
      if (waitedMs.toBeAlone > WAIT_TO_BE_ALONE_MS) throw inUse(files, condition);
    } else {
      waitedMs.forTurn += POLL_MS;
      if (waitedMs.forTurn > WAIT_FOR_TURN_MS) {
        throw new StorageError(
          'database_busy',
          `Another Steward is still preparing the database in ${files.directory}. Try again when it is done.`,
        );
      }
    }
    // Uneven, so that two waiting processes don't keep blocking each other.
    await delay(POLL_MS * (0.5 + Math.random()));
  }
  throw new StorageError('database_error', `The database in ${files.directory} could not be opened in three attempts.`);
}

function inUse(files: ProfileFiles, condition: Condition): StorageError {
  const need =
    condition.kind === 'damaged' ? `is damaged (${condition.reason}) and must be repaired` : 'must be updated';
  return new StorageError(
    'database_in_use',
    `The database in ${files.directory} ${need}, but another Steward has it open. Close the other one and try again; nothing was changed.`,
  );
}

/** Creates, migrates or repairs as needed. The profile must be locked exclusively. */
export async function prepareDatabase(files: ProfileFiles, context: DatabaseContext): Promise<void> {
  finishReplacement(files);
  const condition = inspectDatabase(files, newestSchema(context.migrations));
  switch (condition.kind) {
    case 'ready':
      condition.connection.close();
      return;
    case 'missing':
      create(files, context);
      return;
    case 'damaged':
      context.notice(repairDatabase(files, condition.reason, context, await loadEventConverter(context.migrations)));
      return;
    case 'outdated':
      try {
        await backupBefore(newestSchema(context.migrations), files, context);
        await migrateDatabase(files.database, context.migrations);
      } catch (error) {
        const damage = damageIn(error);
        if (damage === undefined) throw error;
        context.notice(repairDatabase(files, damage, context, await loadEventConverter(context.migrations)));
      }
  }
}

function create(files: ProfileFiles, context: DatabaseContext): void {
  const hadDatabase = listBackups(files.backups).length > 0;
  const fresh = `${files.database}.new`;
  createDatabase(fresh, context.migrations);
  renameOverSync(fresh, files.replacement);
  replaceDatabase(files, 'damaged');
  if (hadDatabase) context.notice(newDatabaseNotice(files, context));
}

async function backupBefore(version: number, files: ProfileFiles, context: DatabaseContext): Promise<void> {
  const target = join(
    files.backups,
    nextBackupName(files.backups, { code: 'before_migration', version }, context.now()),
  );
  try {
    await runInWorker({ kind: 'backup', directory: files.directory, source: files.database, target });
  } catch (error) {
    if (damageIn(error) !== undefined) throw error;
    const reason = errorMessage(error);
    throw new StorageError(
      'copy_failed',
      `The database in ${files.directory} must be upgraded to version ${version}, but the backup that is made first failed: ${reason} Nothing was changed.`,
      error,
    );
  }
  pruneBackups(files.backups);
}
