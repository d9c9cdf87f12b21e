import type { SqliteDatabase } from '../../../base/sqlite.ts';

/**
 * The number of the schema that `createBaseSchema` makes, and the oldest one that is opened. Twelve migrations made it
 * before the first release; see docs/decisions/044-profiles-of-other-versions.md.
 */
export const BASE_SCHEMA = 12;

/**
 * - `events.body` is the event as JSON; `seq` is never reused: rows other than text deltas are never deleted, and
 *   deltas only after a later row was added.
 * - `message_index` holds what `indexableText` makes of texts, under the `seq` of their event; an entry whose event is
 *   gone is never found, because hits are joined with `events`. The tokenizer is `ascii` because the words were already
 *   taken apart (see search/search-text.ts).
 */
const CONVERSATIONS = `
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
`;

/**
 * - `marks`: those of the context in which the row was written, as JSON. `updated_ms`: since 1970, for recency only.
 * - `memory_index` holds what `indexableText` makes of question and answer, under `memories.num`.
 */
const MEMORY = `
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
`;

/**
 * Files as they were before a call changed them; see records/before-images.ts. `path`: real path. `existed` 0: there
 * was no file. `before_hash`, `after_hash`: SHA-256 of the bytes before, and of what the call was about to write; null:
 * not known. `made_folders`: JSON list of folders that the call makes, outermost first. `dropped` 1: the bytes are not
 * kept, for their size or for room. `undone` 1: it was taken back. `before` stands last, so that no other column lies
 * behind it.
 */
const BEFORE_IMAGES = `
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
`;

/**
 * Changes that tools made after text from outside had been read, until the user has looked at them; see
 * records/unreviewed-files.ts. `path`: real path. `hash`: SHA-256 of what was written; null: not known. `marks`: what
 * had been read, as JSON. `conversation_id` and `call_id` name the before-image; no reference, because a backup may be
 * restored under it.
 */
const UNREVIEWED_FILES = `
      CREATE TABLE unreviewed_files (
        num INTEGER PRIMARY KEY,
        path TEXT NOT NULL,
        hash TEXT,
        marks TEXT NOT NULL CHECK (json_valid(marks)),
        conversation_id TEXT NOT NULL,
        call_id TEXT NOT NULL,
        changed_at TEXT NOT NULL
      ) STRICT;
`;

/**
 * What MCP servers offered last; see records/known-servers.ts. `config_hash`: of the entry in config.json that it was
 * learned under. `offered`: JSON, the mcp room's matter. Derived: a server that is asked again says it again.
 */
const KNOWN_SERVERS = `
      CREATE TABLE known_servers (
        name TEXT NOT NULL UNIQUE,
        config_hash TEXT NOT NULL,
        offered TEXT NOT NULL CHECK (json_valid(offered)),
        learned_at TEXT NOT NULL
      ) STRICT;
`;

/**
 * What MCP servers said of their tools, and their instructions, as the user accepted it; see
 * records/mcp-definitions.ts. `name`: the tool; empty for instructions. `hash`: SHA-256 of what counts; `text`: what
 * was shown of it, to compare a later one with.
 */
const MCP_DEFINITIONS = `
      CREATE TABLE mcp_definitions (
        server TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('tool', 'instructions')),
        name TEXT NOT NULL,
        hash TEXT NOT NULL,
        text TEXT NOT NULL,
        accepted_at TEXT NOT NULL,
        PRIMARY KEY (server, kind, name)
      ) STRICT;
`;

/**
 * What Steward remembers of connected accounts; see records/account-notes.ts. Never a token: those are in the keychain.
 */
const ACCOUNT_NOTES = `
      CREATE TABLE account_notes (
        name TEXT PRIMARY KEY,
        used_by TEXT,
        used_at TEXT,
        ended_why TEXT,
        ended_at TEXT
      ) STRICT;
`;

/**
 * Mail that the user approved and that is not known to be sent or dropped yet; see records/outbox.ts. A row, and with
 * it the text, is deleted once that is known. `sending`: a request to send it may have left. `recipients`: JSON, as
 * shown to the user. `account`: the address that it is sent from, if known.
 */
const OUTBOX = `
      CREATE TABLE outbox (
        id TEXT NOT NULL PRIMARY KEY,
        conversation_id TEXT NOT NULL,
        call_id TEXT NOT NULL,
        account TEXT,
        recipients TEXT NOT NULL CHECK (json_valid(recipients)),
        subject TEXT NOT NULL,
        body TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('waiting', 'sending')),
        created_at TEXT NOT NULL,
        due_at TEXT NOT NULL
      ) STRICT;
`;

/**
 * What clients registered in a conversation, and which groups of tools it opened; see records/client-states.ts.
 * `state`: JSON.
 */
const CLIENT_STATES = `
      CREATE TABLE client_states (
        conversation INTEGER PRIMARY KEY REFERENCES conversations (num),
        state TEXT NOT NULL CHECK (json_valid(state))
      ) STRICT;
`;

/**
 * What requests to models took, summed: derived from the `usage` events, and written with them (see
 * records/count-usage.ts). `day`: of the user's own calendar, as it was when the request was made. `unpriced`: requests
 * whose cost is not known; `cost` (US dollars) is that of the others.
 */
const USAGE_TOTALS = `
      CREATE TABLE usage_totals (
        day TEXT NOT NULL,
        conversation INTEGER NOT NULL REFERENCES conversations (num),
        provider TEXT NOT NULL,
        model TEXT NOT NULL,
        requests INTEGER NOT NULL,
        input INTEGER NOT NULL,
        output INTEGER NOT NULL,
        cache_read INTEGER NOT NULL,
        cache_write INTEGER NOT NULL,
        cost REAL NOT NULL,
        unpriced INTEGER NOT NULL,
        PRIMARY KEY (day, conversation, provider, model)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX usage_totals_by_conversation ON usage_totals (conversation);
`;

/**
 * Programs that the user paired; see records/paired-programs.ts. `token_hash`: SHA-256 (hex) of the token, which only
 * the program has.
 */
const PAIRED_PROGRAMS = `
      CREATE TABLE paired_programs (
        num INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        version TEXT NOT NULL,
        token_hash TEXT NOT NULL UNIQUE,
        paired_at TEXT NOT NULL,
        last_used_at TEXT NOT NULL
      ) STRICT;
`;

/**
 * What Steward remembers of MCP servers besides what they offer; see records/server-notes.ts. `silent_as`: the hash of
 * the entry in config.json under which it did not list its tools. Derived: it decides only which servers start first,
 * and which are waited for.
 */
const SERVER_NOTES = `
      CREATE TABLE server_notes (
        name TEXT PRIMARY KEY,
        used_at TEXT,
        silent_as TEXT
      ) STRICT;
`;

/**
 * Makes all tables in an empty database. The text never changes, white space included: SQLite keeps it in the file, and
 * profiles have it.
 */
export function createBaseSchema(database: SqliteDatabase): void {
  for (const tables of [
    CONVERSATIONS,
    MEMORY,
    BEFORE_IMAGES,
    UNREVIEWED_FILES,
    KNOWN_SERVERS,
    MCP_DEFINITIONS,
    ACCOUNT_NOTES,
    OUTBOX,
    CLIENT_STATES,
    USAGE_TOTALS,
    PAIRED_PROGRAMS,
    SERVER_NOTES,
  ])
    database.exec(tables);
}
