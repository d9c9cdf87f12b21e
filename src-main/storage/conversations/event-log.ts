import type { ConversationEvent, StoredEvent } from '../../../src-preload/contract/events.ts';
import { exactJson } from '../../../src-preload/contract/exact-json.ts';
import { BYTES_PER_APPEND } from '../database/checkpoints.ts';
import type { ReadableDatabase, WritableDatabase } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import type { StorageNotice } from '../database/repair.ts';
import { StorageError } from '../database/storage-error.ts';
import { countUsage } from '../records/count-usage.ts';
import { indexEvent } from '../search/search-index.ts';
import { dropRepeatedDeltas } from './delta-runs.ts';
import { parseEvent } from './parse-event.ts';

export interface EventLog {
  /**
   * Committed when it returns. Throws `StorageError` (`disk_full`, `conversation_unknown`, …); nothing was added then.
   */
  appendAll(conversationId: string, turnId: string, events: readonly ConversationEvent[]): StoredEvent[];
  /**
   * All events of a conversation, ordered by `seq`. Rows that can't be read are left out, with a notice.
   */
  read(conversationId: string): StoredEvent[];
}

interface EventRow {
  readonly seq: number;
  readonly turn_id: string;
  readonly at: string;
  readonly body: string;
}

interface EventPlace {
  /** The conversation's number in the database. */
  readonly conversation: number;
  readonly conversationId: string;
  readonly turnId: string;
}

/**
 * `onGrowth` is called for every append with the number of events of usual size by which the write-ahead log has grown.
 */
export function createEventLog(database: Database, onGrowth: (appends: number) => void = () => undefined): EventLog {
  /** Looked up every time: another process may have erased it meanwhile. */
  function numberOf(connection: ReadableDatabase, id: string): number {
    const row = connection
      .statement<{ num: number }>('SELECT num FROM conversations WHERE id = ? AND erased_at IS NULL')
      .get(id);
    if (row !== undefined) return row.num;
    throw new StorageError('conversation_unknown', `There is no conversation ${id} in ${database.files.directory}.`);
  }

  function insert(
    connection: WritableDatabase,
    { conversation, conversationId, turnId }: EventPlace,
    event: ConversationEvent,
    body: string,
  ): StoredEvent {
    const at = database.now().toISOString();
    const { lastInsertRowid } = connection
      .statement('INSERT INTO events (conversation, turn_id, type, at, body) VALUES (?, ?, ?, ?, ?)')
      .run(conversation, turnId, event.type, at, body);
    const seq = Number(lastInsertRowid);
    if (event.type === 'block' && event.block.type === 'text') {
      dropRepeatedDeltas(connection, conversation, turnId, seq);
    }
    indexEvent(connection, conversation, seq, event);
    countUsage(connection, conversation, at, event);
    return { ...event, seq, conversationId, turnId, at };
  }

  function commit(conversationId: string, turnId: string, events: readonly ConversationEvent[]): StoredEvent[] {
    let appends = 0;
    const stored = database.write((connection) => {
      // The rows are made before the write lock is taken, so that nothing waits while a long text is encoded.
      const rows = events.map((event) => ({ event, body: exactJson(event) }));
      appends = rows.reduce((sum, { body }) => sum + Math.ceil(body.length / BYTES_PER_APPEND), 0);
      const insertAll = () => {
        const place = { conversation: numberOf(connection, conversationId), conversationId, turnId };
        return rows.map(({ event, body }) => insert(connection, place, event, body));
      };
      return events.length === 1 && events.every(touchesOneRow) ? insertAll() : connection.transaction(insertAll);
    });
    onGrowth(appends);
    return stored;
  }

  return {
    appendAll: commit,

    read: (conversationId) =>
      database.read((connection) => {
        const rows = connection
          .statement<EventRow>('SELECT seq, turn_id, at, body FROM events WHERE conversation = ? ORDER BY seq')
          .all(numberOf(connection, conversationId));
        const unreadable: number[] = [];
        const events = rows.flatMap((row) => {
          const event = parseEvent(row.body);
          if (event) return [{ ...event, seq: row.seq, conversationId, turnId: row.turn_id, at: row.at }];
          unreadable.push(row.seq);
          return [];
        });
        if (unreadable.length > 0)
          database.notice(unreadableNotice(unreadable, conversationId, database.files.database));
        return events;
      }),
  };
}

/** The notice about events that are damaged, or that a version wrote which knows more kinds of them. */
function unreadableNotice(
  [first = 0, ...more]: readonly number[],
  conversationId: string,
  file: string,
): StorageNotice {
  const [entries, are, they] =
    more.length === 0
      ? [`Entry ${first}`, 'is left out', 'It is']
      : [`${more.length + 1} entries (the first is ${first})`, 'are left out', 'They are'];
  return {
    code: 'event_unreadable',
    message: `${entries} of conversation ${conversationId} could not be read and ${are}. A newer version of Steward may be able to. ${they} still in ${file}.`,
  };
}

/** A single statement needs no explicit transaction. Streamed text takes this path. */
function touchesOneRow(event: ConversationEvent): boolean {
  return (
    event.type !== 'user_message' && event.type !== 'usage' && !(event.type === 'block' && event.block.type === 'text')
  );
}
