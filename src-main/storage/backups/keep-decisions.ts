import { openReadable, openWritable } from '../database/connection.ts';
import { NEVER_RESTORED, USER_TABLES } from '../database/schema.ts';

/**
 * Replaces the permissions and unreviewed files in a backup with the current ones. Both databases have the current
 * schema and must not be open elsewhere. Throws what SQLite throws; the backup is then unchanged.
 */
export function keepDecisions(present: string, backup: string): void {
  const source = openReadable(present);
  const target = openWritable(backup);
  try {
    target.transaction(() => {
      for (const table of NEVER_RESTORED) {
        const columns = USER_TABLES[table];
        target.database.exec(`DELETE FROM ${table}`);
        const insert = target.statement(
          `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        );
        const rows = source.statement(`SELECT * FROM ${table} ORDER BY rowid`).all() as Record<string, string>[];
        for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null));
      }
    });
  } finally {
    source.close();
    target.close();
  }
}
