import { randomUUID } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import type { ConversationEvent } from '../../../src-preload/contract/events.ts';
import { parseEvent } from '../conversations/parse-event.ts';
import { countUsage } from '../records/count-usage.ts';
import { indexEvent, indexMemory, indexTitle } from '../search/search-index.ts';
import { openReadable, openWritable, type ReadableDatabase, type WritableDatabase } from './connection.ts';
import { convertEvents } from './convert-events.ts';
import { copyWithFirstPageOf, PAGE_SIZE } from './first-page.ts';
import type { EventConverter } from './migrations/migration.ts';
import { COMPANIONS } from './profile-folder.ts';
import { type Row, walkReadableRows } from './readable-rows.ts';
import { tablesIn, USER_TABLE_NAMES, type UserTable } from './schema.ts';
import { isRefusedRow } from './storage-error.ts';

export interface SalvageReport {
  /** The number of rows copied to the new database, for each table. */
  readonly saved: Readonly<Record<UserTable, number>>;
  /** Rows that were readable but invalid. */
  readonly skipped: number;
}

export interface SalvageOptions {
  readonly now: () => Date;
  /** The converter, if the database may be of an older schema. */
  readonly eventConverter?: (() => EventConverter) | undefined;
}

/** Every database of Steward has these tables, whatever its version. */
const FIRST_TABLES = ['conversations', 'events', 'rules', 'confirmations'] as const satisfies readonly UserTable[];

/**
 * Fills a new database (current schema, no rows) with every readable row of a damaged one. The damaged file is only
 * read. Throws what SQLite throws if the new database can't be written.
 */
export function salvage(damaged: string, fresh: string, options: SalvageOptions): SalvageReport {
  const direct = openForReading(damaged);
  if (direct) return fill(direct, fresh, options);
  const repaired = `${fresh}.first-page`;
  try {
    const isWorthTrying = statSync(damaged).isFile() && statSync(damaged).size > PAGE_SIZE;
    if (isWorthTrying) copyWithFirstPageOf(fresh, damaged, repaired);
    return fill(isWorthTrying ? openForReading(repaired) : undefined, fresh, options);
  } finally {
    for (const suffix of ['', ...COMPANIONS]) rmSync(repaired + suffix, { force: true });
  }
}

/** Undefined if the list of tables can't be read, or does not contain all of ours. */
function openForReading(file: string): ReadableDatabase | undefined {
  let connection: ReadableDatabase | undefined;
  try {
    connection = openReadable(file);
    for (const table of USER_TABLE_NAMES) connection.statement(`SELECT rowid FROM ${table}`);
    return connection;
  } catch (error) {
    if (connection !== undefined && isOlder(connection)) return connection;
    connection?.close();
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** Whether the database is not damaged, but from before the newest tables were added. */
function isOlder(database: ReadableDatabase): boolean {
  try {
    const known = tablesIn(database);
    return FIRST_TABLES.every((table) => known.has(table));
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

function fill(source: ReadableDatabase | undefined, fresh: string, options: SalvageOptions): SalvageReport {
  const saved: Record<UserTable, number> = {
    conversations: 0,
    events: 0,
    rules: 0,
    confirmations: 0,
    facts: 0,
    memories: 0,
    before_images: 0,
    unreviewed_files: 0,
    mcp_definitions: 0,
    outbox: 0,
    client_states: 0,
    paired_programs: 0,
  };
  let skipped = 0;
  if (source === undefined) return { saved, skipped };
  const target = openWritable(fresh);
  try {
    const known = tablesIn(source);
    target.transaction(() => {
      for (const table of USER_TABLE_NAMES.filter((name) => known.has(name))) {
        for (const row of walkReadableRows(source, table)) {
          if (copyRow(target, table, row, options)) saved[table] += 1;
          else skipped += 1;
        }
      }
      // Only now are the events of a conversation complete and in order.
      if (options.eventConverter) convertEvents(target.database, options.eventConverter());
    });
  } finally {
    source.close();
    target.close();
  }
  return { saved, skipped };
}

/** Returns false if the row is invalid. */
function copyRow(
  target: WritableDatabase,
  table: UserTable,
  row: Row,
  { now, eventConverter }: SalvageOptions,
): boolean {
  const event = table === 'events' ? eventIn(row, eventConverter) : undefined;
  if (table === 'events' && event === undefined) return false;
  try {
    if (table === 'events') ensureConversation(target, Number(row.conversation), now);
    const columns = columnsOf(target, table).filter((column) => column in row);
    target
      .statement(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
      .run(...columns.map((column) => row[column] ?? null));
  } catch (error) {
    if (isRefusedRow(error)) return false;
    throw error;
  }
  if (table === 'conversations') indexTitle(target, Number(row.num), String(row.title));
  if (table === 'memories') indexMemory(target, Number(row.num), `${row.question}\n${row.answer}`);
  if (event) {
    indexEvent(target, Number(row.conversation), Number(row.seq), event);
    countUsage(target, Number(row.conversation), String(row.at), event);
  }
  return true;
}

function eventIn(row: Row, eventConverter: SalvageOptions['eventConverter']): ConversationEvent | undefined {
  const body = String(row.body);
  return parseEvent(eventConverter ? eventConverter().convert(Number(row.conversation), body) : body);
}

/** Events whose conversation could not be read still belong together: a replacement is created for them. */
function ensureConversation(target: WritableDatabase, num: number, now: () => Date): void {
  if (target.statement('SELECT 1 FROM conversations WHERE num = ?').get(num)) return;
  const title = 'Recovered conversation';
  target
    .statement(
      `INSERT INTO conversations (num, id, title, workspace, model, created_at, created_after_seq)
       VALUES (?, ?, ?, '', '', ?, 0)`,
    )
    .run(num, randomUUID(), title, now().toISOString());
  indexTitle(target, num, title);
}

function columnsOf(target: ReadableDatabase, table: UserTable): string[] {
  const rows = target.statement(`SELECT name FROM pragma_table_info('${table}')`).all() as { name: string }[];
  return rows.map((row) => row.name);
}
