import type { Migration } from './migration.ts';

/**
 * Conversations stay in the trash for a while; see conversations/trash.ts. `erased_at`: its content was deleted
 * permanently. The row remains, so that no number is used twice and what it cost still counts. What was deleted before
 * there was a trash gets the whole time in it: nobody could see until then that it was still there. `secure-delete`:
 * words that are removed from the index are not only marked as deleted.
 */
export const trash: Migration = {
  name: 'trash',
  up: (database) =>
    database.exec(`
      ALTER TABLE conversations ADD COLUMN erased_at TEXT;
      CREATE INDEX conversations_in_trash ON conversations (deleted_at) WHERE deleted_at IS NOT NULL;
      INSERT INTO message_index (message_index, rank) VALUES ('secure-delete', 1);
      UPDATE conversations SET deleted_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE deleted_at IS NOT NULL;
    `),
};
