import type { Migration } from './migration.ts';

/**
 * - `marks`: those of the context in which the row was written, as JSON. `updated_ms`: since 1970, for recency only.
 * - `memory_index` holds what `indexableText` makes of question and answer, under `memories.num`.
 */
export const memory: Migration = {
  name: 'facts, memories',
  up: (database) =>
    database.exec(`
      CREATE TABLE facts (
        key TEXT NOT NULL UNIQUE,
        value TEXT NOT NULL,
        marks TEXT NOT NULL CHECK (json_valid(marks)),
        updated_ms INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE memories (
        num INTEGER PRIMARY KEY,
        question TEXT NOT NULL UNIQUE,
        answer TEXT NOT NULL,
        marks TEXT NOT NULL CHECK (json_valid(marks)),
        updated_ms INTEGER NOT NULL
      ) STRICT;
      CREATE VIRTUAL TABLE memory_index USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '1 2');
    `),
};
