import type { Database } from '../database/database.ts';

export interface ServerNote {
  /** ISO 8601. */
  readonly usedAt: string | undefined;
  /** Hash of the entry in config.json under which it did not list its tools, until it does. */
  readonly silentAs: string | undefined;
}

/**
 * When MCP servers were used, and which did not answer, by their name in config.json. All methods throw `StorageError`.
 */
export interface ServerNotes {
  get(name: string): ServerNote;
  used(name: string): void;
  silent(name: string, configHash: string | undefined): void;
  remove(name: string): void;
}

export function createServerNotes(database: Database): ServerNotes {
  return {
    get: (name) =>
      database.read((connection) => {
        const row = connection
          .statement<{ usedAt: string | null; silentAs: string | null }>(
            'SELECT used_at AS usedAt, silent_as AS silentAs FROM server_notes WHERE name = ?',
          )
          .get(name);
        return { usedAt: row?.usedAt ?? undefined, silentAs: row?.silentAs ?? undefined };
      }),

    used: (name) => {
      database.write((connection) =>
        connection
          .statement(
            `INSERT INTO server_notes (name, used_at) VALUES (?, ?)
             ON CONFLICT (name) DO UPDATE SET used_at = excluded.used_at`,
          )
          .run(name, database.now().toISOString()),
      );
    },

    silent: (name, configHash) => {
      database.write((connection) =>
        connection
          .statement(
            `INSERT INTO server_notes (name, silent_as) VALUES (?, ?)
             ON CONFLICT (name) DO UPDATE SET silent_as = excluded.silent_as`,
          )
          .run(name, configHash ?? null),
      );
    },

    remove: (name) => {
      database.write((connection) => connection.statement('DELETE FROM server_notes WHERE name = ?').run(name));
    },
  };
}
