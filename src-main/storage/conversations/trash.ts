import type { WritableDatabase } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { StorageError } from '../database/storage-error.ts';
import { unindexEvent } from '../search/search-index.ts';
import type { Leases } from './leases.ts';
import { parseEvent } from './parse-event.ts';

export const DAYS_IN_TRASH = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Events deleted in one transaction: the thread is free in between, and other processes can write. */
const ROWS_AT_ONCE = 200;

export interface TrashedConversation {
  readonly id: string;
  readonly title: string;
  /** ISO 8601. */
  readonly deletedAt: string;
}

/** Deleted conversations: nothing finds them any more, and they can be restored until they are erased. */
export interface Trash {
  /** What was deleted last comes first. Without conversations that never had any content. */
  list(): TrashedConversation[];
  /**
   * Deletes a conversation permanently, in the trash or not: its messages, file versions and rules. Rejects with
   * `StorageError`: `conversation_unknown`, or `conversation_in_use` while a turn runs in it or its mail waits to be
   * sent.
   */
  erase(id: string): Promise<void>;
  /**
   * Erases what has been in the trash for `DAYS_IN_TRASH`, and finishes what an ended process began. What is in use is
   * left for the next time.
   */
  eraseOld(): Promise<void>;
}

/**
 * What is erased is overwritten in the database file as far as SQLite does that
 * (https://sqlite.org/pragma.html#pragma_secure_delete).
 */
export function createTrash(database: Database, leases: Pick<Leases, 'acquire'>): Trash {
  function setErased(id: string): number {
    const lease = leases.acquire(id);
    if ('heldByPid' in lease)
      throw new StorageError('conversation_in_use', 'The assistant is working in this conversation. Stop it first.');
    try {
      return database.write((connection) =>
        connection.overwriting(() => connection.transaction(() => markErased(connection, id, database.now()))),
      );
    } finally {
      lease.release();
    }
  }

  /** All or nothing per step: a process that ends in between leaves the rest to `eraseOld`. */
  async function eraseContent(conversation: number): Promise<void> {
    for (let hasMore = true; hasMore; ) {
      hasMore = database.write((connection) =>
        connection.overwriting(() => connection.transaction(() => eraseRows(connection, conversation))),
      );
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  return {
    list: () =>
      database.read((connection) =>
        connection
          .statement<TrashedConversation>(
            `SELECT id, title, deleted_at AS deletedAt FROM conversations
             WHERE deleted_at IS NOT NULL AND erased_at IS NULL AND EXISTS (SELECT 1 FROM events WHERE conversation = num)
             ORDER BY deleted_at DESC, num DESC`,
          )
          .all(),
      ),

    erase: async (id) => eraseContent(setErased(id)),

    eraseOld: async () => {
      const until = new Date(database.now().getTime() - DAYS_IN_TRASH * DAY_MS).toISOString();
      const due = database.read((connection) =>
        connection
          .statement<{ id: string }>(
            `SELECT id FROM conversations WHERE deleted_at IS NOT NULL AND erased_at IS NULL
             AND (deleted_at <= ? OR NOT EXISTS (SELECT 1 FROM events WHERE conversation = num))`,
          )
          .all(until),
      );
      for (const { id } of due) {
        try {
          setErased(id);
        } catch (error) {
          // The conversation is in use, or another process was faster.
          if (!(error instanceof StorageError) || !error.code.startsWith('conversation_')) throw error;
        }
      }
      const begun = database.read((connection) =>
        connection
          .statement<{ num: number }>(
            `SELECT num FROM conversations WHERE erased_at IS NOT NULL AND (
               EXISTS (SELECT 1 FROM events WHERE conversation = num AND seq < (SELECT max(seq) FROM events))
               OR EXISTS (SELECT 1 FROM before_images WHERE conversation = num))`,
          )
          .all(),
      );
      for (const { num } of begun) await eraseContent(num);
    },
  };
}

/** From now on it does not exist for anyone. Its row in `usage_totals` stays: that money was spent. */
function markErased(connection: WritableDatabase, id: string, now: Date): number {
  const row = connection
    .statement<{ num: number }>('SELECT num FROM conversations WHERE id = ? AND erased_at IS NULL')
    .get(id);
  if (row === undefined) throw new StorageError('conversation_unknown', 'This conversation no longer exists.');
  if (connection.statement('SELECT 1 FROM outbox WHERE conversation_id = ? LIMIT 1').get(id) !== undefined)
    throw new StorageError(
      'conversation_in_use',
      'A mail of this conversation is still waiting to be sent. Wait until it is sent, or undo it first.',
    );
  const at = now.toISOString();
  connection
    .statement(
      `UPDATE conversations SET title = '', workspace = '', model = '', deleted_at = coalesce(deleted_at, ?), erased_at = ?
       WHERE num = ?`,
    )
    .run(at, at, row.num);
  connection.statement('DELETE FROM title_index WHERE rowid = ?').run(row.num);
  connection.statement('DELETE FROM client_states WHERE conversation = ?').run(row.num);
  connection.statement('DELETE FROM rules WHERE conversation_id = ?').run(id);
  return row.num;
}

interface ErasedRow {
  readonly seq: number;
  readonly body: string;
}

/**
 * One step, from the end: a message that follows a text that was cut off tells where the index has that text. The
 * highest number of all stays as an event without content until there is a higher one, because numbers must not be used
 * twice. Returns whether there is more to do.
 */
function eraseRows(connection: WritableDatabase, conversation: number): boolean {
  connection.statement('DELETE FROM before_images WHERE conversation = ?').run(conversation);
  const newest = connection.statement<{ seq: number | null }>('SELECT max(seq) AS seq FROM events').get()?.seq ?? 0;
  const rows = connection
    .statement<ErasedRow>('SELECT seq, body FROM events WHERE conversation = ? ORDER BY seq DESC LIMIT ?')
    .all(conversation, ROWS_AT_ONCE);
  for (const { seq, body } of rows) {
    const event = parseEvent(body);
    if (event !== undefined) unindexEvent(connection, conversation, seq, event);
    if (seq < newest) connection.statement('DELETE FROM events WHERE seq = ?').run(seq);
    else
      connection
        .statement("UPDATE events SET turn_id = '', type = 'turn_end', body = ? WHERE seq = ?")
        .run('{"type":"turn_end","stopReason":"end_turn"}', seq);
  }
  if (rows.length === ROWS_AT_ONCE) return true;
  // It only marks its entries as deleted; merging its few pages removes the words.
  connection.statement("INSERT INTO title_index (title_index) VALUES ('optimize')").run();
  return false;
}
