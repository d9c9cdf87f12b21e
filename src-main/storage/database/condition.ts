import { statSync } from 'node:fs';
import { errorMessage } from '../../base/errors.ts';
import { openWritable, type WritableDatabase } from './connection.ts';
import type { ProfileFiles } from './profile-folder.ts';
import { APPLICATION_ID, USER_TABLES } from './schema.ts';
import { refuseSchema } from './schema-version.ts';
import { isDamage, isRefusedStatement, toStorageError } from './storage-error.ts';

/** The state in which a database was found. Only `ready` has an open connection. */
export type Condition =
  | { readonly kind: 'ready'; readonly connection: WritableDatabase }
  | { readonly kind: 'missing' }
  | { readonly kind: 'outdated' }
  | { readonly kind: 'damaged'; readonly reason: string };

/** Files up to this size are checked page by page at every start, which takes a few milliseconds. */
const CHECKED_WHOLE_BYTES = 1024 * 1024;

/**
 * Checks the database without changing it. Damage deeper in a large file is found when it is first used, or by the
 * daily backup. Throws `StorageError`: `database_too_new`, `database_too_old`, `profile_not_writable`, `disk_full`, …
 */
export function inspectDatabase(files: ProfileFiles, version: number): Condition {
  const file = statSync(files.database, { throwIfNoEntry: false });
  if (file === undefined) return { kind: 'missing' };
  if (!file.isFile()) return { kind: 'damaged', reason: 'it is not a file' };
  // A new database gets its name only when it is complete, so an empty file was not made by us.
  if (file.size === 0) return { kind: 'damaged', reason: 'the file is empty' };
  const hasLog = (statSync(`${files.database}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;

  let connection: WritableDatabase | undefined;
  try {
    connection = openWritable(files.database);
    const condition = inspectOpen(connection, version, files, { bytes: file.size, hasLog });
    if (condition.kind !== 'ready') connection.close();
    return condition;
  } catch (error) {
    connection?.close();
    if (isDamage(error) || isRefusedStatement(error)) {
      return { kind: 'damaged', reason: errorMessage(error) };
    }
    throw toStorageError(error, files.directory);
  }
}

function inspectOpen(
  connection: WritableDatabase,
  version: number,
  files: ProfileFiles,
  { bytes, hasLog }: { bytes: number; hasLog: boolean },
): Condition {
  const found = connection.pragma('user_version');
  if (connection.pragma('application_id') !== APPLICATION_ID) {
    return { kind: 'damaged', reason: 'it is not a Steward database' };
  }
  if (found < 1) return { kind: 'damaged', reason: `its version number is ${found}` };
  // The usual check, without touching anything, was made before; the database was replaced or migrated since.
  refuseSchema(files.directory, found, version);
  // The newest pages may be only in the log.
  if (!hasLog && bytes < connection.pragma('page_count') * connection.pragma('page_size')) {
    return { kind: 'damaged', reason: 'the file was cut short' };
  }
  if (found < version) return { kind: 'outdated' };
  connection.prepareForWriting();
  for (const [table, columns] of Object.entries(USER_TABLES)) {
    // Only the length of a saved file: it may be 20 MB, and SQLite knows the length without reading it.
    const read = columns.map((column) => (column === 'before' ? 'length(before)' : column));
    connection.statement(`SELECT ${read.join(', ')} FROM ${table} ORDER BY rowid DESC LIMIT 1`).get();
  }
  for (const index of ['message_index', 'title_index', 'memory_index']) {
    connection.statement(`SELECT rowid FROM ${index} WHERE words MATCH 'a' LIMIT 1`).get();
  }
  if (bytes <= CHECKED_WHOLE_BYTES) {
    const { quick_check: fault } = connection.statement('PRAGMA quick_check(1)').get() as {
      quick_check: string;
    };
    if (fault !== 'ok') return { kind: 'damaged', reason: fault };
  }
  return { kind: 'ready', connection };
}
