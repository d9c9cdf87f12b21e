import type { Database } from '../database/database.ts';

/** What an MCP server offered when it was last asked. */
export interface KnownServerRecord {
  /** Hash of the entry in config.json that it was learned under. */
  readonly configHash: string;
  /** The value as JSON was parsed. Nothing about its shape is promised. */
  readonly offered: unknown;
  /** ISO 8601. */
  readonly learnedAt: string;
}

/** What MCP servers offered last, by their name in config.json. All methods throw `StorageError`. */
export interface KnownServers {
  get(name: string): KnownServerRecord | undefined;
  set(name: string, record: Omit<KnownServerRecord, 'learnedAt'>): void;
  remove(name: string): void;
}

export function createKnownServers(database: Database): KnownServers {
  return {
    get: (name) =>
      database.read((connection) => {
        const row = connection
          .statement<{ configHash: string; offered: string; learnedAt: string }>(
            'SELECT config_hash AS configHash, offered, learned_at AS learnedAt FROM known_servers WHERE name = ?',
          )
          .get(name);
        return row === undefined ? undefined : { ...row, offered: JSON.parse(row.offered) };
      }),

    set: (name, { configHash, offered }) => {
      database.write((connection) =>
        connection
          .statement(
            `INSERT INTO known_servers (name, config_hash, offered, learned_at) VALUES (?, ?, ?, ?)
             ON CONFLICT (name) DO UPDATE
             SET config_hash = excluded.config_hash, offered = excluded.offered, learned_at = excluded.learned_at`,
          )
          .run(name, configHash, JSON.stringify(offered), database.now().toISOString()),
      );
    },

    remove: (name) => {
      database.write((connection) => connection.statement('DELETE FROM known_servers WHERE name = ?').run(name));
    },
  };
}
