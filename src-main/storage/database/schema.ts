import type { SqliteDatabase } from '../../base/sqlite.ts';

/** One numbered step of the schema. Its number is its place in the list, from 1; a step that was released never changes. */
export interface Migration {
  readonly name: string;
  up(database: SqliteDatabase): void;
}

/** `Stwd`: tells our databases from others with the same file name (`PRAGMA application_id`). */
export const APPLICATION_ID = 0x53747764;

/**
 * - `events.body` is the event as JSON; `seq` is never reused: rows other than text deltas are never deleted, and deltas
 *   only after a later row was added.
 * - `message_index` holds what `indexableText` makes of texts, under the `seq` of their event; an entry whose event is gone
 *   is never found, because hits are joined with `events`. The tokenizer is `ascii` because the words were already
 *   taken apart (see search-text.ts).
 */
const initial: Migration = {
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

/**
 * - `marks`: those of the context in which the row was written, as JSON. `updated_ms`: since 1970, for recency only.
 * - `memory_index` holds what `indexableText` makes of question and answer, under `memories.num`.
 */
const memory: Migration = {
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

/**
 * Files as they were before a call changed them; see before-images.ts. `path`: real path. `existed` 0: there was no file.
 * `before_hash`, `after_hash`: SHA-256 of the bytes before, and of what the call was about to write; null: not known.
 * `made_folders`: JSON list of folders that the call makes, outermost first. `dropped` 1: the bytes are not kept, for
 * their size or for room. `undone` 1: it was taken back. `before` stands last, so that no other column lies behind it.
 */
const beforeImages: Migration = {
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

export const MIGRATIONS: readonly Migration[] = [initial, memory, beforeImages];

/** Tables whose rows are the user's, with their columns, in the order in which they can be filled; the rest is derived. */
export const USER_TABLES = {
  conversations: ['num', 'id', 'title', 'workspace', 'model', 'created_after_seq', 'created_at', 'deleted_at'],
  events: ['seq', 'conversation', 'turn_id', 'type', 'at', 'body'],
  rules: ['num', 'id', 'conversation_id', 'label', 'tool', 'matcher', 'created_at', 'last_used_at', 'uses'],
  confirmations: ['key', 'hash', 'confirmed_at'],
  facts: ['key', 'value', 'marks', 'updated_ms'],
  memories: ['num', 'question', 'answer', 'marks', 'updated_ms'],
  before_images: [
    ...['num', 'conversation', 'turn_id', 'call_id', 'path', 'existed', 'before_hash', 'after_hash', 'mode'],
    ...['made_folders', 'size', 'dropped', 'undone', 'before'],
  ],
} as const;

export type UserTable = keyof typeof USER_TABLES;
export const USER_TABLE_NAMES = Object.keys(USER_TABLES) as UserTable[];

/** Names of the tables that a database has, which may be of an older version. */
export function tablesIn(database: SqliteDatabase): ReadonlySet<string> {
  const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[];
  return new Set(rows.map(({ name }) => name));
}
