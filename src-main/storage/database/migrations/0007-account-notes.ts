import type { Migration } from './migration.ts';

/** What Steward remembers of connected accounts; see records/account-notes.ts. Never a token: those are in the keychain. */
export const accountNotes: Migration = {
  name: 'notes about connected accounts',
  up: (database) =>
    database.exec(`
      CREATE TABLE account_notes (
        name TEXT PRIMARY KEY,
        used_by TEXT,
        used_at TEXT,
        ended_why TEXT,
        ended_at TEXT
      ) STRICT;
    `),
};
