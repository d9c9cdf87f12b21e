import { Connection } from '../database/connection.ts';
import { NEVER_RESTORED, USER_TABLES } from '../database/schema.ts';

/**
 * Puts what the person allows and has not looked at now in the place of what a backup holds of it. Both are of the current
 * schema, and nobody else may have either open. Throws what SQLite throws; then the backup is as it was.
 */
export function keepDecisions(present: string, backup: string): void {
  const source = new Connection(present, { readOnly: true });
  const target = new Connection(backup);
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
