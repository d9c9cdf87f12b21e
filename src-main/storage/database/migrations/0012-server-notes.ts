import type { Migration } from './migration.ts';

/**
 * What Steward remembers of MCP servers besides what they offer; see records/server-notes.ts. `silent_as`: the hash of the entry in config.json
 * under which it did not list its tools. Derived: it decides only which servers start first, and which are waited for.
 */
export const serverNotes: Migration = {
  name: 'notes about MCP servers',
  up: (database) =>
    database.exec(`
      CREATE TABLE server_notes (
        name TEXT PRIMARY KEY,
        used_at TEXT,
        silent_as TEXT
      ) STRICT;
    `),
};
