import type { Mark } from '../../../src-preload/contract/events.ts';
import type { WritableDatabase } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import type { MemoryHit } from '../search/memory-search.ts';
import { indexMemory } from '../search/search-index.ts';
import { marksOf } from './marks-column.ts';

/** What the assistant remembers across conversations, in the profile's database. */
export interface Memory {
  /**
   * Overwrites an existing key. `marks` are those of the context in which it was written; they are restored when it is
   * read.
   */
  setFact(key: string, value: string, marks: readonly Mark[]): void;
  getFact(key: string): { readonly value: string; readonly marks: readonly Mark[] } | undefined;
  /** Returns false if there was none. Keys are compared exactly. */
  clearFact(key: string): boolean;
  /** An existing question is overwritten. */
  storeMemory(question: string, answer: string, marks: readonly Mark[]): void;
  /** Returns false if there was none. */
  clearMemory(question: string): boolean;
  /** Finds stored memories and other conversations, best first. Runs in a worker thread. No query is an error. */
  searchMemory(query: string, options: MemorySearchOptions): Promise<readonly MemoryHit[]>;
}

export interface MemorySearchOptions {
  readonly limit: number;
  /** Null if all conversations are searched. */
  readonly exceptConversation: string | null;
}

export interface MemoryOptions {
  readonly search: Memory['searchMemory'];
  /** It is called for every write with the growth of the write-ahead log. */
  readonly onGrowth: () => void;
}

export function createMemory(database: Database, { search, onGrowth }: MemoryOptions): Memory {
  function write<T>(work: (connection: WritableDatabase) => T): T {
    const result = database.write(work);
    onGrowth();
    return result;
  }

  return {
    setFact: (key, value, marks) => {
      write((connection) =>
        connection
          .statement(
            `INSERT INTO facts (key, value, marks, updated_ms) VALUES (?, ?, ?, ?)
             ON CONFLICT (key) DO UPDATE SET value = excluded.value, marks = excluded.marks, updated_ms = excluded.updated_ms`,
          )
          .run(key, value, JSON.stringify(marks), database.now().getTime()),
      );
    },

    getFact: (key) =>
      database.read((connection) => {
        const row = connection.statement('SELECT value, marks FROM facts WHERE key = ?').get(key) as
          | { value: string; marks: string }
          | undefined;
        return row && { value: row.value, marks: marksOf(row.marks) };
      }),

    clearFact: (key) =>
      write((connection) => connection.statement('DELETE FROM facts WHERE key = ?').run(key).changes > 0),

    storeMemory: (question, answer, marks) => {
      write((connection) =>
        connection.transaction(() => {
          // The entry is not updated in place, because the newest one has the highest number, and the search starts
          // there.
          remove(connection, question);
          const { lastInsertRowid } = connection
            .statement('INSERT INTO memories (question, answer, marks, updated_ms) VALUES (?, ?, ?, ?)')
            .run(question, answer, JSON.stringify(marks), database.now().getTime());
          indexMemory(connection, Number(lastInsertRowid), `${question}\n${answer}`);
        }),
      );
    },

    clearMemory: (question) => write((connection) => connection.transaction(() => remove(connection, question))),

    searchMemory: search,
  };
}

function remove(connection: WritableDatabase, question: string): boolean {
  const row = connection.statement('SELECT num FROM memories WHERE question = ?').get(question) as
    | { num: number }
    | undefined;
  if (row === undefined) return false;
  connection.statement('DELETE FROM memory_index WHERE rowid = ?').run(row.num);
  connection.statement('DELETE FROM memories WHERE num = ?').run(row.num);
  return true;
}
