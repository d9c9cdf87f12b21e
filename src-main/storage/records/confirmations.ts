import type { Database } from '../database/database.ts';

/** The configuration values that a user has confirmed: key (`mcpServers.files`, …) to hash of the exact value. */
export interface Confirmations {
  get(key: string): string | undefined;
  set(key: string, hash: string): void;
  remove(key: string): void;
  keys(): string[];
}

export function createConfirmations(database: Database): Confirmations {
  return {
    get: (key) =>
      database.read((connection) => {
        const row = connection.statement('SELECT hash FROM confirmations WHERE key = ?').get(key);
        return (row as { hash: string } | undefined)?.hash;
      }),

    set: (key, hash) => {
      database.write((connection) =>
        connection
          .statement(
            `INSERT INTO confirmations (key, hash, confirmed_at) VALUES (?, ?, ?)
             ON CONFLICT (key) DO UPDATE SET hash = excluded.hash, confirmed_at = excluded.confirmed_at`,
          )
          .run(key, hash, database.now().toISOString()),
      );
    },

    remove: (key) => {
      database.write((connection) => connection.statement('DELETE FROM confirmations WHERE key = ?').run(key));
    },

    keys: () =>
      database.read((connection) =>
        (connection.statement('SELECT key FROM confirmations ORDER BY key').all() as { key: string }[]).map(
          (row) => row.key,
        ),
      ),
  };
}
