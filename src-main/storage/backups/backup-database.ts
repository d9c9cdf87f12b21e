import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { errorMessage } from '../../base/errors.ts';
import { renameOverSync } from '../../base/rename-over.ts';
import { openReadable, openWritable, type ReadableDatabase } from '../database/connection.ts';
import { countRows, type RowCounts } from '../database/row-counts.ts';
import { APPLICATION_ID, tablesIn } from '../database/schema.ts';
import { StorageError, toStorageError } from '../database/storage-error.ts';

export interface BackupJob {
  readonly directory: string;
  readonly source: string;
  /** Exists only once the backup is complete and verified. */
  readonly target: string;
}

/**
 * Backs up a database that others may be writing to, except the file versions kept for undo, then opens the backup and
 * verifies it. Blocks until it is done, so it runs in a worker. Throws `StorageError`: `database_damaged` (the source),
 * `copy_failed`, `disk_full`, …; there is then no target.
 */
export function backupDatabase({ directory, source, target }: BackupJob): RowCounts {
  const unfinished = `${target}.unfinished`;
  try {
    rmSync(unfinished, { force: true });
    const { before, after } = writeCopy(source, unfinished);
    leaveOutBeforeImages(unfinished);
    syncToDisk(unfinished);
    const counts = verifyBackup(unfinished);
    for (const table of ['conversations', 'events'] as const) {
      // Rows may be added between counting and copying.
      if (counts[table] < before[table] || counts[table] > after[table]) {
        throw new StorageError(
          'copy_failed',
          `The backup of ${source} holds ${counts[table]} rows of ${table}; ${before[table]} to ${after[table]} were expected.`,
        );
      }
    }
    renameOverSync(unfinished, target);
    return counts;
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw toStorageError(error, directory);
  }
}

/** Opens a backup as a reader would, and checks every page and index. Throws `StorageError` `copy_failed`. */
export function verifyBackup(file: string): RowCounts {
  let connection: ReadableDatabase | undefined;
  try {
    connection = openReadable(file);
    const fault = integrityFault(connection);
    if (fault) throw new Error(fault);
    if (connection.pragma('application_id') !== APPLICATION_ID) throw new Error('it is not a Steward database');
    return countRows(connection);
  } catch (error) {
    const reason = errorMessage(error);
    throw new StorageError('copy_failed', `The copy ${file} is not good (${reason}).`, error);
  } finally {
    connection?.close();
  }
}

/** The first problem that `PRAGMA integrity_check` finds, or undefined if it finds none. */
export function integrityFault(connection: ReadableDatabase): string | undefined {
  const row = connection.statement('PRAGMA integrity_check(1)').get() as { integrity_check: string };
  return row.integrity_check === 'ok' ? undefined : row.integrity_check;
}

function writeCopy(source: string, file: string): { before: RowCounts; after: RowCounts } {
  closeSync(openSync(file, 'wx', 0o600));
  const connection = openReadable(source);
  try {
    const fault = integrityFault(connection);
    if (fault) throw new StorageError('database_damaged', `The database ${source} is damaged (${fault}).`);
    const before = countRows(connection);
    connection.copyInto(file);
    return { before, after: countRows(connection) };
  } finally {
    connection.close();
  }
}

/**
 * File versions can be 500 MB in each of five backups, and are of little use later: a file can be restored only while
 * it is as the call left it. Their rows stay, so that undo can say why it is impossible.
 */
function leaveOutBeforeImages(file: string): void {
  const connection = openWritable(file);
  try {
    // A database from before undo existed is also backed up, before it is migrated.
    if (!tablesIn(connection).has('before_images')) return;
    // Nothing else uses this file, and after a failure it is deleted.
    connection.database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    const { changes } = connection.database
      .prepare('UPDATE before_images SET before = NULL, dropped = 1 WHERE before IS NOT NULL')
      .run();
    if (changes > 0) connection.database.exec('VACUUM');
  } finally {
    connection.close();
  }
}

/** After this the file's content survives a power failure. */
export function syncToDisk(file: string): void {
  // Windows flushes only writable handles.
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
