import type { Mark } from '../../../src-preload/contract/events.ts';
import type { WritableDatabase } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { marksOf } from './marks-column.ts';

/** An unreviewed change that a tool made to a file after text from outside had been read. */
export interface UnreviewedChange {
  /** Ascending in the order of the changes. */
  readonly num: number;
  /** The real path. */
  readonly path: string;
  /** The SHA-256 (hex) of what was written, or null if it is not known. */
  readonly hash: string | null;
  /** What had been read from outside. */
  readonly marks: readonly Mark[];
  readonly conversationId: string;
  readonly callId: string;
  /** ISO 8601. */
  readonly changedAt: string;
}

export type NewUnreviewedChange = Omit<UnreviewedChange, 'num' | 'changedAt'>;

/** A change, identified by the call that made it. */
export type ChangeOfCall = Pick<UnreviewedChange, 'conversationId' | 'callId' | 'path'>;

/** Where the text in changed files came from, until a user has reviewed them. All methods throw `StorageError`. */
export interface UnreviewedFiles {
  /** Committed when it returns. Returns its number. */
  add(change: NewUnreviewedChange): number;
  /** All of them are committed, or none. */
  addAll(changes: readonly NewUnreviewedChange[]): void;
  /** The change turned out different from the plan. */
  setHash(num: number, hash: string | null): void;
  /** Oldest first. */
  list(): readonly UnreviewedChange[];
  /** Removes changes that were reviewed, or not made after all. */
  remove(nums: readonly number[]): void;
  /** Removes changes that were undone. */
  removeOfCalls(changes: readonly ChangeOfCall[]): void;
}

interface ChangeRow extends Omit<UnreviewedChange, 'marks'> {
  readonly marks: string;
}

const SELECT = `
  SELECT num, path, hash, marks, conversation_id AS conversationId, call_id AS callId, changed_at AS changedAt
  FROM unreviewed_files ORDER BY num`;
const INSERT = `
  INSERT INTO unreviewed_files (path, hash, marks, conversation_id, call_id, changed_at) VALUES (?, ?, ?, ?, ?, ?)`;
const DELETE_OF_CALL = 'DELETE FROM unreviewed_files WHERE conversation_id = ? AND call_id = ? AND path = ?';

export function createUnreviewedFiles(database: Database): UnreviewedFiles {
  function insert(connection: WritableDatabase, change: NewUnreviewedChange): number {
    const { path, hash, marks, conversationId, callId } = change;
    const { lastInsertRowid } = connection
      .statement(INSERT)
      .run(path, hash, JSON.stringify(marks), conversationId, callId, database.now().toISOString());
    return Number(lastInsertRowid);
  }

  return {
    add: (change) => database.write((connection) => insert(connection, change)),

    addAll: (changes) => {
      database.write((connection) =>
        connection.transaction(() => {
          for (const change of changes) insert(connection, change);
        }),
      );
    },

    setHash: (num, hash) => {
      database.write((connection) =>
        connection.statement('UPDATE unreviewed_files SET hash = ? WHERE num = ?').run(hash, num),
      );
    },

    list: () =>
      database.read((connection) =>
        connection
          .statement<ChangeRow>(SELECT)
          .all()
          .map((row) => ({ ...row, marks: marksOf(row.marks) })),
      ),

    remove: (nums) => {
      database.write((connection) =>
        connection.transaction(() => {
          for (const num of nums) connection.statement('DELETE FROM unreviewed_files WHERE num = ?').run(num);
        }),
      );
    },

    removeOfCalls: (changes) => {
      database.write((connection) =>
        connection.transaction(() => {
          for (const { conversationId, callId, path } of changes)
            connection.statement(DELETE_OF_CALL).run(conversationId, callId, path);
        }),
      );
    },
  };
}
