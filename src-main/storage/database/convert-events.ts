import type { SqliteDatabase } from '../../base/sqlite.ts';
import type { EventConverter, Migration } from './migrations/migration.ts';

/** A converter that does what those of all these migrations do, in order. Undefined if none of them converts events. */
export async function loadEventConverter(
  migrations: readonly Migration[],
): Promise<(() => EventConverter) | undefined> {
  const loaders = migrations.flatMap(({ loadEventConverter }) => (loadEventConverter ? [loadEventConverter] : []));
  if (loaders.length === 0) return undefined;
  const makers = await Promise.all(loaders.map((load) => load()));
  return () => {
    const steps = makers.map((make) => make());
    return {
      convert: (conversation, body) => steps.reduce((converted, step) => step.convert(conversation, converted), body),
    };
  };
}

/**
 * One event at a time: a database may have a million of them. Only rows whose event changes are written; no row gets
 * another number or time.
 */
export function convertEvents(database: SqliteDatabase, converter: EventConverter): void {
  const events = database.prepare('SELECT seq, conversation, body FROM events ORDER BY seq').iterate();
  const update = database.prepare('UPDATE events SET body = ? WHERE seq = ?');
  for (const { seq, conversation, body } of events as Iterable<EventRow>) {
    const converted = converter.convert(conversation, body);
    if (converted !== body) update.run(converted, seq);
  }
}

interface EventRow {
  readonly seq: number;
  readonly conversation: number;
  readonly body: string;
}
