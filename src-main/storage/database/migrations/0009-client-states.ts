import type { Migration } from './migration.ts';

/** What clients registered in a conversation, and which groups of tools it opened; see records/client-states.ts. `state`: JSON. */
export const clientStates: Migration = {
  name: 'client states',
  up: (database) =>
    database.exec(`
      CREATE TABLE client_states (
        conversation INTEGER PRIMARY KEY REFERENCES conversations (num),
        state TEXT NOT NULL CHECK (json_valid(state))
      ) STRICT;
    `),
};
