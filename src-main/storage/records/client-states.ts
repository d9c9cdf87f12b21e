import type { ReadableDatabase } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { StorageError } from '../database/storage-error.ts';

/**
 * What clients registered in conversations, as JSON. It belongs to its conversation like the events. All methods throw
 * `StorageError`.
 */
export interface ClientStates {
  /** Undefined if nothing was registered. */
  get(conversationId: string): string | undefined;
  set(conversationId: string, state: string): void;
  /**
   * A text that differs after every change of any of them, also by another process, and stays the same as long as
   * nothing is written.
   */
  version(): string;
  /**
   * Runs `work`. Until what it writes is kept, no other process changes what it reads. Calls must not be nested. Errors
   * of `work` pass unchanged.
   */
  exclusively<T>(work: () => T): T;
  /** Removes what this JSON path of SQLite leads to, in all of them. */
  removeAll(path: string): void;
}

export function createClientStates(database: Database): ClientStates {
  let latest: ReadableDatabase | undefined;
  /**
   * A connection's own changes and those before it don't show in its `data_version`:
   * https://sqlite.org/pragma.html#pragma_data_version
   */
  let changes = 0;
  return {
    version: () =>
      database.read((connection) => {
        if (connection !== latest) changes++;
        latest = connection;
        return `${changes} ${connection.pragma('data_version')}`;
      }),

    get: (conversationId) =>
      database.read(
        (connection) =>
          connection
            .statement<{ readonly state: string }>(
              'SELECT state FROM client_states WHERE conversation = (SELECT num FROM conversations WHERE id = ?)',
            )
            .get(conversationId)?.state,
      ),

    set: (conversationId, state) => {
      changes++;
      const { changes: rows } = database.write((connection) =>
        connection
          .statement(
            `INSERT INTO client_states (conversation, state) SELECT num, ? FROM conversations WHERE id = ? AND erased_at IS NULL
             ON CONFLICT (conversation) DO UPDATE SET state = excluded.state`,
          )
          .run(state, conversationId),
      );
      if (Number(rows) === 0)
        throw new StorageError(
          'conversation_unknown',
          `There is no conversation ${conversationId} in ${database.files.directory}.`,
        );
    },

    exclusively: (work) => {
      const outcome = database.write((connection) => connection.transaction(() => outcomeOf(work)));
      if ('error' in outcome) throw outcome.error;
      return outcome.value;
    },
    removeAll: (path) =>
      database.write((connection) => {
        changes++;
        connection
          .statement('UPDATE client_states SET state = json_remove(state, ?) WHERE json_type(state, ?) IS NOT NULL')
          .run(path, path);
      }),
  };
}

/** Thrown within `use`, it would be taken for an error of the database. */
function outcomeOf<T>(work: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}
