import type { SqliteDatabase } from '../../../base/sqlite.ts';

/** One numbered step of the schema. Its number is its place in the list, from 1; a step that was released never changes. */
export interface Migration {
  readonly name: string;
  up(database: SqliteDatabase): void;
}
