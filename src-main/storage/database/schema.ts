import type { ReadableDatabase } from './connection.ts';
import { trash } from './migrations/0013-trash.ts';
import { factsAsFields } from './migrations/0014-facts-as-fields.ts';
import { BASE_SCHEMA } from './migrations/base-schema.ts';
import type { Migration } from './migrations/migration.ts';

/** `Stwd`: distinguishes our databases from others with the same file name (`PRAGMA application_id`). */
export const APPLICATION_ID = 0x53747764;

/** What comes after the base, in order: the first has the number `BASE_SCHEMA` + 1. A released step never changes. */
export const MIGRATIONS: readonly Migration[] = [trash, factsAsFields];

/** The number of the schema that these migrations lead to. */
export function newestSchema(migrations: readonly Migration[]): number {
  return BASE_SCHEMA + migrations.length;
}

/** What a database with schema `version` lacks. */
export function migrationsAfter(version: number, migrations: readonly Migration[]): readonly Migration[] {
  return migrations.slice(version - BASE_SCHEMA);
}

/**
 * Tables with the user's own rows and their columns, in the order in which they can be filled; everything else is
 * derived.
 */
export const USER_TABLES = {
  conversations: [
    'num',
    'id',
    'title',
    'workspace',
    'model',
    'created_after_seq',
    'created_at',
    'deleted_at',
    'erased_at',
  ],
  events: ['seq', 'conversation', 'turn_id', 'type', 'at', 'body'],
  rules: ['num', 'id', 'conversation_id', 'label', 'tool', 'matcher', 'created_at', 'last_used_at', 'uses'],
  confirmations: ['key', 'hash', 'confirmed_at'],
  facts: ['key', 'value', 'marks', 'updated_ms'],
  memories: ['num', 'question', 'answer', 'marks', 'updated_ms'],
  before_images: [
    'num',
    'conversation',
    'turn_id',
    'call_id',
    'path',
    'existed',
    'before_hash',
    'after_hash',
    'mode',
    'made_folders',
    'size',
    'dropped',
    'undone',
    'before',
  ],
  unreviewed_files: ['num', 'path', 'hash', 'marks', 'conversation_id', 'call_id', 'changed_at'],
  mcp_definitions: ['server', 'kind', 'name', 'hash', 'text', 'accepted_at'],
  outbox: [
    'id',
    'conversation_id',
    'call_id',
    'account',
    'recipients',
    'subject',
    'body',
    'state',
    'created_at',
    'due_at',
  ],
  client_states: ['conversation', 'state'],
  paired_programs: ['num', 'id', 'name', 'version', 'token_hash', 'paired_at', 'last_used_at'],
} as const;

export type UserTable = keyof typeof USER_TABLES;
export const USER_TABLE_NAMES = Object.keys(USER_TABLES) as UserTable[];

/**
 * What the user allows, what they have not reviewed yet, and approved mail: a backup never restores it; otherwise
 * permissions that they revoked would apply again, and mail that was sent would be taken for unsent. Source: design
 * section 4.
 */
export const NEVER_RESTORED = [
  'rules',
  'confirmations',
  'unreviewed_files',
  'mcp_definitions',
  'outbox',
  'paired_programs',
] as const satisfies readonly UserTable[];

/** Names of the tables in a database, which may be of an older version. */
export function tablesIn(database: ReadableDatabase): ReadonlySet<string> {
  const rows = database.statement<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return new Set(rows.map(({ name }) => name));
}
