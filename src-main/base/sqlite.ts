import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import type { DatabaseSyncInstance, SqliteModule, StatementSyncInstance } from '@photostructure/sqlite';
import { selectBinding } from './sqlite-binding.ts';

/**
 * The only file that selects the SQLite binding. `node:sqlite` is built in since Node 22.13 (and in Electron), with
 * full-text search since 22.16; an older Node uses `@photostructure/sqlite`, which has the same interface. Only what
 * both support is used. One difference matters: in the latter, a closed database keeps its files open until its
 * statements are garbage-collected. So nothing may rely on what SQLite does at the last close (emptying the write-ahead
 * log, releasing a lock that is still held).
 */
export const { DatabaseSync } = loadBinding();

export type SqliteDatabase = DatabaseSyncInstance;
export type SqliteStatement = StatementSyncInstance;
export type SqlValue = string | number | Uint8Array | null;

/** Opens a database file. With `readOnly`, the file must exist, and nothing is written to it, not even at close. */
export function openSqlite(file: string, options: { readOnly?: boolean } = {}): SqliteDatabase {
  return new DatabaseSync(file, { readOnly: options.readOnly ?? false });
}

function loadBinding(): Pick<SqliteModule, 'DatabaseSync'> {
  return selectBinding<Pick<SqliteModule, 'DatabaseSync'>>({
    builtin: process.getBuiltinModule?.('node:sqlite' as 'node:module') as unknown as SqliteModule | undefined,
    loadSubstitute: () => createRequire(import.meta.url)('@photostructure/sqlite') as SqliteModule,
    version: process.versions.node,
    // Only the main thread prints the warning, so that the workers don't repeat it.
    say: (line) => void (isMainThread && process.stderr.write(`${line}\n`)),
  });
}
