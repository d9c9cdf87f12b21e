import type { Migration } from './migration.ts';

/**
 * Mail that the user approved and that is not known to be sent or dropped yet; see records/outbox.ts. A row, and with it the text, is deleted
 * once that is known. `sending`: a request to send it may have left. `recipients`: JSON, as shown to the user. `account`: the address that it is
 * sent from, if known.
 */
export const outbox: Migration = {
  name: 'outbox',
  up: (database) =>
    database.exec(`
      CREATE TABLE outbox (
        id TEXT NOT NULL PRIMARY KEY,
        conversation_id TEXT NOT NULL,
        call_id TEXT NOT NULL,
        account TEXT,
        recipients TEXT NOT NULL CHECK (json_valid(recipients)),
        subject TEXT NOT NULL,
        body TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('waiting', 'sending')),
        created_at TEXT NOT NULL,
        due_at TEXT NOT NULL
      ) STRICT;
    `),
};
