import type { Migration } from './migration.ts';

/**
 * Changes that tools made after text from outside had been read, until a person has looked at them; see
 * records/unreviewed-files.ts. `path`: real path. `hash`: SHA-256 of what was written; null: not known. `marks`: what had been
 * read, as JSON. `conversation_id` and `call_id` name the before-image; no reference, because a backup may be restored under it.
 */
export const unreviewedFiles: Migration = {
  name: 'unreviewed files',
  up: (database) =>
    database.exec(`
      CREATE TABLE unreviewed_files (
        num INTEGER PRIMARY KEY,
        path TEXT NOT NULL,
        hash TEXT,
        marks TEXT NOT NULL CHECK (json_valid(marks)),
        conversation_id TEXT NOT NULL,
        call_id TEXT NOT NULL,
        changed_at TEXT NOT NULL
      ) STRICT;
    `),
};
