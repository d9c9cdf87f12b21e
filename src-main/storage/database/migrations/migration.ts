import type { SqliteDatabase } from '../../../base/sqlite.ts';

/**
 * One step of the schema. Its number is that of its file, and its place in `MIGRATIONS` after the base; a step that was
 * released never changes.
 */
export interface Migration {
  readonly name: string;
  up(database: SqliteDatabase): void;
  /**
   * If events have another form from this step on: loads what converts them. Loaded only if there are events of an
   * older schema. Must leave an event that already has the new form as it is, since it also gets events of a damaged
   * database whose version can't be read.
   */
  readonly loadEventConverter?: () => Promise<() => EventConverter>;
}

/** Converts the events of one database. It gets those of each conversation in the order of `seq`. */
export interface EventConverter {
  /** The JSON of an event in its new form. `body` itself if it need not change, or is not an event. */
  convert(conversation: number, body: string): string;
}
