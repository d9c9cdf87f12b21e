import type { Migration } from './migration.ts';

/**
 * - `events.body` is the event as JSON; `seq` is never reused: rows other than text deltas are never deleted, and deltas
 *   only after a later row was added.
 * - `message_index` holds what `indexableText` makes of texts, under the `seq` of their event; an entry whose event is gone
 *   is never found, because hits are joined with `events`. The tokenizer is `ascii` because the words were already
 *   taken apart (see search/search-text.ts).
 */
export const conversations: Migration = {
  name: 'conversations, events, rules, confirmations, search',
  up: (database) =>
    database.exec(`
      CREATE TABLE conversations (
        num INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        workspace TEXT NOT NULL,
        model TEXT NOT NULL,
        created_after_seq INTEGER NOT NULL,
        created_at TEXT NOT NULL,
        deleted_at TEXT
      ) STRICT;
      CREATE TABLE events (
        seq INTEGER PRIMARY KEY,
        conversation INTEGER NOT NULL REFERENCES conversations (num),
        turn_id TEXT NOT NULL,
        type TEXT NOT NULL,
        at TEXT NOT NULL,
        body TEXT NOT NULL
      ) STRICT;
      CREATE INDEX events_by_conversation ON events (conversation);
      CREATE TABLE rules (
        num INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        conversation_id TEXT,
        label TEXT NOT NULL,
        tool TEXT,
        matcher TEXT NOT NULL CHECK (json_valid(matcher)),
        created_at TEXT NOT NULL,
        last_used_at TEXT,
        uses INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE TABLE confirmations (key TEXT NOT NULL UNIQUE, hash TEXT NOT NULL, confirmed_at TEXT NOT NULL) STRICT;
      CREATE VIRTUAL TABLE message_index USING fts5 (words, content = '', columnsize = 0, tokenize = 'ascii', prefix = '1 2');
      CREATE VIRTUAL TABLE title_index USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'ascii');
    `),
};
