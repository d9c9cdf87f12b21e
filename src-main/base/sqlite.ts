import { createRequire } from 'node:module';
import type { DatabaseSyncInstance, SqliteModule, StatementSyncInstance } from '@photostructure/sqlite';

/**
 * The one file that picks the SQLite binding. `node:sqlite` is built in from Node 22.13 on (so in Electron); an older
 * Node takes `@photostructure/sqlite`, which has the same interface. Only what both support is used. One difference
 * matters: there, a closed database keeps its files open until its statements are garbage-collected. So nothing may
 * rely on what SQLite does at the last close (emptying the write-ahead log, releasing a lock that is still held).
 */
export const { DatabaseSync } = loadBinding();

export type SqliteDatabase = DatabaseSyncInstance;
export type SqliteStatement = StatementSyncInstance;
export type SqlValue = string | number | Uint8Array | null;

/** Opens a database file. `readOnly`: must exist, and nothing is written to it, not even at close. */
export function openSqlite(file: string, options: { readOnly?: boolean } = {}): SqliteDatabase {
  return new DatabaseSync(file, { readOnly: options.readOnly ?? false });
}

function loadBinding(): Pick<SqliteModule, 'DatabaseSync'> {
  const builtin = process.getBuiltinModule?.('node:sqlite' as 'node:module') as unknown as SqliteModule | undefined;
  return builtin ?? (createRequire(import.meta.url)('@photostructure/sqlite') as SqliteModule);
}
