import type { SqliteDatabase } from '../../base/sqlite.ts';

/** Rows per table. Text deltas are not counted, because they are deleted again; everything else in these tables only grows. */
export type RowCounts = Readonly<Record<'conversations' | 'events', number>>;

/** Throws what SQLite throws if a page can't be read. */
export function countRows(database: SqliteDatabase): RowCounts {
  const count = (sql: string) => (database.prepare(sql).get() as { n: number }).n;
  return {
    conversations: count('SELECT count(*) AS n FROM conversations'),
    events: count("SELECT count(*) AS n FROM events WHERE type <> 'text_delta'"),
  };
}

export function describeCounts({ conversations, events }: RowCounts): string {
  return `${conversations} conversation${conversations === 1 ? '' : 's'}, ${events} entr${events === 1 ? 'y' : 'ies'}`;
}
