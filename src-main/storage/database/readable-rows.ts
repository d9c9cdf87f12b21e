import type { SqlValue } from '../../base/sqlite.ts';
import type { ReadableDatabase } from './connection.ts';

export type Row = Readonly<Record<string, SqlValue>>;

const BATCH = 256;
/** Rows that contain whole files; this many may be in memory at once. */
const BATCH_OF_FILES = 4;
const LAST_ROWID = Number.MAX_SAFE_INTEGER;
/** In a range that no page leads to, up to this many rows are tried one by one. Beyond that, it goes by leaps. */
const TRIED_ONE_BY_ONE = 20_000;

/**
 * Every row of a table that can still be read, each once, however many pages in between are damaged. Any read failure
 * counts as damage: a broken page, a broken chain of pages, a disk sector that can't be read.
 */
export function* walkReadableRows(connection: ReadableDatabase, table: string): Generator<Row> {
  const seen = new Set<SqlValue | undefined>();
  for (const walk of [walkInFileOrder, walkByRowid]) {
    const rows = walk(connection, table);
    for (let step = rows.next(); ; step = rows.next()) {
      if (step.done) {
        if (step.value === 'complete') return;
        break;
      }
      if (seen.has(step.value.rowid_)) continue;
      seen.add(step.value.rowid_);
      yield step.value;
    }
  }
}

type Walk = Generator<Row, 'complete' | 'cut off'>;

/**
 * Walks page by page, with whatever rowids the pages contain (damaged ones need not ascend), up to the first unreadable
 * page.
 */
function* walkInFileOrder(database: ReadableDatabase, table: string): Walk {
  const rows = attempt(() => database.statement(`SELECT rowid AS rowid_, * FROM ${table}`).iterate());
  while (rows) {
    const step = attempt(() => rows.next() as IteratorResult<Row>);
    if (step === undefined) break;
    if (step.done) return 'complete';
    yield step.value;
  }
  return 'cut off';
}

/** Walks by rowid, so that it can continue after an unreadable page. */
function* walkByRowid(database: ReadableDatabase, table: string): Walk {
  const from = database.statement(`SELECT rowid AS rowid_, * FROM ${table} WHERE rowid >= ? ORDER BY rowid LIMIT ?`);
  const single = database.statement(`SELECT rowid AS rowid_, * FROM ${table} WHERE rowid = ?`);
  /**
   * Undefined if the rows are unreadable, or if SQLite was misled: a damaged page can make it return rows that were not
   * requested, endlessly.
   */
  function rowsFrom(rowid: number, limit: number): Row[] | undefined {
    const rows = attempt(() => from.all(rowid, limit) as Row[]);
    return rows?.every((row) => Number(row.rowid_) >= rowid) ? rows : undefined;
  }

  const batch = table === 'before_images' ? BATCH_OF_FILES : BATCH;
  // SQLite assigns rowids from 1, and we never choose our own.
  let next = 1;
  for (let limit = batch; next < LAST_ROWID; ) {
    const rows = rowsFrom(next, limit);
    if (rows?.length === 0) break;
    if (rows) {
      yield* rows;
      next = rows.reduce((last, row) => Math.max(last, Number(row.rowid_)), next) + 1;
      limit = Math.min(batch, limit * 2);
    } else if (limit > 1) {
      limit = Math.floor(limit / 2);
    } else {
      const end = endOfUnreadable(next, (rowid) => rowsFrom(rowid, 1) !== undefined);
      for (let rowid = next; rowid < Math.min(end, next + TRIED_ONE_BY_ONE); rowid++) {
        const row = attempt(() => single.get(rowid) as Row | undefined);
        if (row) yield row;
      }
      next = end;
    }
  }
  return 'complete';
}

/**
 * The first rowid after `start` from which reading works again, found by leaps and then by bisection; else the last
 * one.
 */
function endOfUnreadable(start: number, isReadableFrom: (rowid: number) => boolean): number {
  let leap = 1;
  while (!isReadableFrom(start + leap)) {
    leap *= 2;
    if (start + leap >= LAST_ROWID) return LAST_ROWID;
  }
  let [unreadable, readable] = [start + Math.floor(leap / 2), start + leap];
  while (readable - unreadable > 1) {
    const middle = unreadable + Math.floor((readable - unreadable) / 2);
    if (isReadableFrom(middle)) readable = middle;
    else unreadable = middle;
  }
  return readable;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
