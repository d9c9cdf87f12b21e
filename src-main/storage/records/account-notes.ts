import type { Database } from '../database/database.ts';

/** Times are ISO 8601. */
export interface AccountNote {
  /** The tool that used the account last. */
  readonly lastUsed: { readonly tool: string; readonly at: string } | undefined;
  /** Why its last sign-in ended, until there is a new one. */
  readonly ended: { readonly why: string; readonly at: string } | undefined;
}

/**
 * When connected accounts were used, and why their sign-ins ended. It never contains a token. All methods throw
 * `StorageError`.
 */
export interface AccountNotes {
  get(name: string): AccountNote;
  used(name: string, tool: string): void;
  /** `why` is undefined if there is a new sign-in, or if the user disconnected it. */
  ended(name: string, why: string | undefined): void;
}

interface Row {
  readonly usedBy: string | null;
  readonly usedAt: string | null;
  readonly endedWhy: string | null;
  readonly endedAt: string | null;
}

export function createAccountNotes(database: Database): AccountNotes {
  const now = () => database.now().toISOString();
  return {
    get: (name) =>
      database.read((connection) => {
        const row = connection
          .statement<Row>(
            `SELECT used_by AS usedBy, used_at AS usedAt, ended_why AS endedWhy, ended_at AS endedAt
             FROM account_notes WHERE name = ?`,
          )
          .get(name);
        const { usedBy = null, usedAt = null, endedWhy = null, endedAt = null } = row ?? {};
        return {
          lastUsed: usedBy === null || usedAt === null ? undefined : { tool: usedBy, at: usedAt },
          ended: endedWhy === null || endedAt === null ? undefined : { why: endedWhy, at: endedAt },
        };
      }),

    used: (name, tool) => {
      database.write((connection) =>
        connection
          .statement(
            `INSERT INTO account_notes (name, used_by, used_at) VALUES (?, ?, ?)
             ON CONFLICT (name) DO UPDATE SET used_by = excluded.used_by, used_at = excluded.used_at`,
          )
          .run(name, tool, now()),
      );
    },

    ended: (name, why) => {
      database.write((connection) =>
        connection
          .statement(
            `INSERT INTO account_notes (name, ended_why, ended_at) VALUES (?, ?, ?)
             ON CONFLICT (name) DO UPDATE SET ended_why = excluded.ended_why, ended_at = excluded.ended_at`,
          )
          .run(name, why ?? null, why === undefined ? null : now()),
      );
    },
  };
}
