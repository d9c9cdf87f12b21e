import type { ReadableDatabase } from './connection.ts';

/**
 * Rows per table. Text deltas are not counted, because they are deleted again; everything else in these tables only
 * grows.
 */
export type RowCounts = Readonly<Record<'conversations' | 'events', number>>;

/** Throws what SQLite throws if a page can't be read. */
export function countRows(database: ReadableDatabase): RowCounts {
  const count = (sql: string) => database.statement<{ n: number }>(sql).get()?.n ?? 0;
  return {
    conversations: count('SELECT count(*) AS n FROM conversations'),
    events: count("SELECT count(*) AS n FROM events WHERE type <> 'text_delta'"),
  };
}

export function describeCounts({ conversations, events }: RowCounts): string {
  return `${conversations} conversation${conversations === 1 ? '' : 's'}, ${events} entr${events === 1 ? 'y' : 'ies'}`;
}
