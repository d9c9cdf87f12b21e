import type { Database } from '../database/database.ts';

export interface Recipient {
  /** The display name, empty if there is none. */
  readonly name: string;
  readonly address: string;
}

/** A mail that the user approved, exactly as it was shown. */
export interface OutboxMail {
  /** UUID; sent in a header of the mail. */
  readonly id: string;
  readonly conversationId: string;
  /** The tool call that sends it. */
  readonly callId: string;
  /** The address of the account that it is sent from, or null if it is not known. */
  readonly account: string | null;
  readonly recipients: readonly Recipient[];
  readonly subject: string;
  readonly body: string;
  /** While `sending`, a request to send it may have left. */
  readonly state: 'waiting' | 'sending';
  /** ISO 8601. */
  readonly createdAt: string;
  /** When it is to be sent; ISO 8601. */
  readonly dueAt: string;
}

/**
 * Approved mail whose fate is not settled yet, over all processes on this profile. Every change is committed when its
 * method returns. All methods throw `StorageError`.
 */
export interface OutboxRecords {
  add(mail: Omit<OutboxMail, 'state' | 'createdAt'>): void;
  get(id: string): OutboxMail | undefined;
  /** Oldest first. */
  list(): readonly OutboxMail[];
  /**
   * Marks a mail before the request to send it from this account, which is null if it is not known. The mark survives a
   * power failure. Returns false if the mail is no longer there, so that it must not be sent.
   */
  markSending(id: string, account: string | null): boolean;
  /** Marks that the mail certainly did not leave and waits again. */
  markWaiting(id: string): void;
  /**
   * Deletes the mail with its text. With `onlyWaiting`, it stays if a request to send it may have left. Returns false
   * if it is still there, or never was.
   */
  remove(id: string, options?: { readonly onlyWaiting?: boolean }): boolean;
}

interface Row extends Omit<OutboxMail, 'recipients'> {
  readonly recipients: string;
}

const SELECT = `
  SELECT id, conversation_id AS conversationId, call_id AS callId, account, recipients, subject, body, state,
    created_at AS createdAt, due_at AS dueAt
  FROM outbox`;

export function createOutbox(database: Database): OutboxRecords {
  const changes = (sql: string, ...values: readonly string[]) =>
    database.write((connection) => Number(connection.statement(sql).run(...values).changes));
  return {
    add: ({ id, conversationId, callId, account, recipients, subject, body, dueAt }) => {
      const createdAt = database.now().toISOString();
      database.write((connection) =>
        connection
          .statement(
            `INSERT INTO outbox (id, conversation_id, call_id, account, recipients, subject, body, state, created_at, due_at)
             VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting', ?, ?)`,
          )
          .run(id, conversationId, callId, account, JSON.stringify(recipients), subject, body, createdAt, dueAt),
      );
    },

    get: (id) =>
      database.read((connection) => {
        const row = connection.statement<Row>(`${SELECT} WHERE id = ?`).get(id);
        return row === undefined ? undefined : mailOf(row);
      }),

    list: () =>
      database.read((connection) => connection.statement<Row>(`${SELECT} ORDER BY created_at, id`).all().map(mailOf)),

    markSending: (id, account) =>
      database.write((connection) =>
        connection.durably(() =>
          connection.statement("UPDATE outbox SET state = 'sending', account = ? WHERE id = ?").run(account, id),
        ),
      ).changes === 1,

    markWaiting: (id) => {
      changes("UPDATE outbox SET state = 'waiting' WHERE id = ?", id);
    },

    remove: (id, { onlyWaiting = false } = {}) =>
      changes(`DELETE FROM outbox WHERE id = ?${onlyWaiting ? " AND state = 'waiting'" : ''}`, id) === 1,
  };
}

function mailOf({ recipients, ...row }: Row): OutboxMail {
  return { ...row, recipients: JSON.parse(recipients) };
}
