import type { Migration } from './migration.ts';

/** Programs that a person paired; see records/paired-programs.ts. `token_hash`: SHA-256 (hex) of the token, which only the program has. */
export const pairedPrograms: Migration = {
  name: 'paired programs',
  up: (database) =>
    database.exec(`
      CREATE TABLE paired_programs (
        num INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        version TEXT NOT NULL,
        token_hash TEXT NOT NULL UNIQUE,
        paired_at TEXT NOT NULL,
        last_used_at TEXT NOT NULL
      ) STRICT;
    `),
};
