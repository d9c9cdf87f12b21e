import type { Connection } from './connection.ts';
import type { SqlValue } from './sqlite.ts';

export type Row = Readonly<Record<string, SqlValue>>;

const BATCH = 256;
const LAST_ROWID = Number.MAX_SAFE_INTEGER;
/** In a stretch that no page leads to, rows are tried one by one up to this many; what lies beyond is looked for by leaps. */
const TRIED_ONE_BY_ONE = 20_000;

/**
 * Every row of a table that can still be read, in the order of rowids, however many pages in between are damaged. Any
 * failure to read counts as damage: a broken page, a broken chain of pages, a sector that the disk no longer gives.
 */
export function* walkReadableRows(connection: Connection, table: string): Generator<Row> {
  const { database } = connection;
  const from = database.prepare(`SELECT rowid AS rowid_, * FROM ${table} WHERE rowid >= ? ORDER BY rowid LIMIT ?`);
  const single = database.prepare(`SELECT rowid AS rowid_, * FROM ${table} WHERE rowid = ?`);

  /** `undefined`: unreadable. */
  function rowsFrom(rowid: number, limit: number): Row[] | undefined {
    return attempt(() => from.all(rowid, limit) as Row[]);
  }

  // SQLite counts rowids from 1, and nothing of ours chooses its own.
  let next = 1;
  for (let limit = BATCH; ; ) {
    const rows = rowsFrom(next, limit);
    if (rows?.length === 0) return;
    if (rows) {
      yield* rows;
      next = Number(rows.at(-1)?.rowid_) + 1;
      limit = Math.min(BATCH, limit * 2);
    } else if (limit > 1) {
      limit = Math.floor(limit / 2);
    } else {
      const end = endOfUnreadable(next, (rowid) => rowsFrom(rowid, 1) !== undefined);
      for (let rowid = next; rowid < Math.min(end, next + TRIED_ONE_BY_ONE); rowid++) {
        const row = attempt(() => single.get(rowid) as Row | undefined);
        if (row) yield row;
      }
      if (end >= LAST_ROWID) return;
      next = end;
    }
  }
}

/** The first rowid after `start` from which reading works again, found by leaps and then by halving; else the last one. */
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
