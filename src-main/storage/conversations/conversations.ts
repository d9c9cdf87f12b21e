import { randomUUID } from 'node:crypto';
import type { ReadableDatabase, WritableDatabase } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { StorageError } from '../database/storage-error.ts';
import { indexTitle } from '../search/search-index.ts';

export interface Conversation {
  readonly id: string;
  readonly title: string;
  /** The folder in which it was started. */
  readonly workspace: string;
  /** The model as `provider:model`, or `guide`. */
  readonly model: string;
  /** ISO 8601, for people only. */
  readonly createdAt: string;
  /** The time of its last event, or `createdAt`. ISO 8601, for people only. */
  readonly updatedAt: string;
  /** If set, it is in the trash. */
  readonly deletedAt: string | null;
}

export interface Conversations {
  create(conversation: { workspace: string; model: string; title?: string }): Conversation;
  /** Finds conversations in the trash too, but none that was deleted permanently. */
  get(id: string): Conversation | undefined;
  /**
   * Lists the conversations that are not deleted; the one with the latest event comes first (by `seq`, not by clock).
   */
  list(): Conversation[];
  /** The first of `list`. */
  latest(): Conversation | undefined;
  /** These throw `StorageError` `conversation_unknown` if the conversation does not exist. */
  rename(id: string, title: string): Conversation;
  setModel(id: string, model: string): Conversation;
  /** Moves it to the trash. */
  remove(id: string): Conversation;
  restore(id: string): Conversation;
}

const UNTITLED = 'New conversation';

/**
 * The time of the last event is looked up by index, so that adding an event doesn't have to update its conversation.
 */
const SELECT = `
  SELECT num, id, title, workspace, model, created_at AS createdAt, deleted_at AS deletedAt,
    coalesce((SELECT at FROM events WHERE conversation = num ORDER BY seq DESC LIMIT 1), created_at) AS updatedAt
  FROM conversations`;
const NEWEST_FIRST = `
  WHERE deleted_at IS NULL
  ORDER BY max(created_after_seq, coalesce((SELECT max(seq) FROM events WHERE conversation = num), 0)) DESC, num DESC`;

type ConversationRow = Conversation & { readonly num: number };

export function createConversations(database: Database): Conversations {
  return { ...conversationReads(database), ...conversationChanges(database) };
}

function conversationReads(database: Database): Pick<Conversations, 'get' | 'list' | 'latest'> {
  return {
    get: (id) =>
      database.read((connection) => {
        const row = find(connection, id);
        return row && withoutNumber(row);
      }),

    list: () =>
      database.read((connection) =>
        connection
          .statement<ConversationRow>(SELECT + NEWEST_FIRST)
          .all()
          .map(withoutNumber),
      ),

    latest: () =>
      database.read((connection) => {
        const row = connection.statement<ConversationRow>(`${SELECT + NEWEST_FIRST} LIMIT 1`).get();
        return row && withoutNumber(row);
      }),
  };
}

type ConversationChanges = Pick<Conversations, 'create' | 'rename' | 'setModel' | 'remove' | 'restore'>;

function conversationChanges(database: Database): ConversationChanges {
  function existing(connection: ReadableDatabase, id: string): ConversationRow {
    const row = find(connection, id);
    if (row) return row;
    throw new StorageError('conversation_unknown', `There is no conversation ${id} in ${database.files.directory}.`);
  }

  function update(id: string, change: (connection: WritableDatabase, num: number) => void): Conversation {
    return database.write((connection) =>
      connection.transaction(() => {
        change(connection, existing(connection, id).num);
        return withoutNumber(existing(connection, id));
      }),
    );
  }

  return {
    create: ({ workspace, model, title = UNTITLED }) =>
      database.write((connection) =>
        connection.transaction(() => {
          const id = randomUUID();
          const { lastInsertRowid } = connection
            .statement(
              `INSERT INTO conversations (id, title, workspace, model, created_at, created_after_seq)
               VALUES (?, ?, ?, ?, ?, (SELECT coalesce(max(seq), 0) FROM events))`,
            )
            .run(id, title, workspace, model, database.now().toISOString());
          indexTitle(connection, Number(lastInsertRowid), title);
          return withoutNumber(existing(connection, id));
        }),
      ),

    rename: (id, title) =>
      update(id, (connection, num) => {
        connection.statement('UPDATE conversations SET title = ? WHERE num = ?').run(title, num);
        indexTitle(connection, num, title);
      }),

    setModel: (id, model) =>
      update(id, (connection, num) => {
        connection.statement('UPDATE conversations SET model = ? WHERE num = ?').run(model, num);
      }),

    remove: (id) =>
      update(id, (connection, num) => {
        const at = database.now().toISOString();
        connection
          .statement('UPDATE conversations SET deleted_at = coalesce(deleted_at, ?) WHERE num = ?')
          .run(at, num);
      }),

    restore: (id) =>
      update(id, (connection, num) => {
        connection.statement('UPDATE conversations SET deleted_at = NULL WHERE num = ?').run(num);
      }),
  };
}

function find(connection: ReadableDatabase, id: string): ConversationRow | undefined {
  return connection.statement<ConversationRow>(`${SELECT} WHERE id = ? AND erased_at IS NULL`).get(id);
}

function withoutNumber({ num: _, ...conversation }: ConversationRow): Conversation {
  return conversation;
}
