import type { Migration } from './migration.ts';

/**
 * Files as they were before a call changed them; see records/before-images.ts. `path`: real path. `existed` 0: there was no file.
 * `before_hash`, `after_hash`: SHA-256 of the bytes before, and of what the call was about to write; null: not known.
 * `made_folders`: JSON list of folders that the call makes, outermost first. `dropped` 1: the bytes are not kept, for
 * their size or for room. `undone` 1: it was taken back. `before` stands last, so that no other column lies behind it.
 */
export const beforeImages: Migration = {
  name: 'before-images',
  up: (database) =>
    database.exec(`
      CREATE TABLE before_images (
        num INTEGER PRIMARY KEY,
        conversation INTEGER NOT NULL REFERENCES conversations (num),
        turn_id TEXT NOT NULL,
        call_id TEXT NOT NULL,
        path TEXT NOT NULL,
        existed INTEGER NOT NULL,
        before_hash TEXT,
        after_hash TEXT,
        mode INTEGER,
        made_folders TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(made_folders)),
        size INTEGER NOT NULL,
        dropped INTEGER NOT NULL DEFAULT 0,
        undone INTEGER NOT NULL DEFAULT 0,
        before BLOB
      ) STRICT;
      CREATE INDEX before_images_by_call ON before_images (conversation, call_id);
      CREATE INDEX before_images_kept ON before_images (conversation, size) WHERE before IS NOT NULL;
    `),
};
