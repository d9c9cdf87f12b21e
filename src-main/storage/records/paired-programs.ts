import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';

/** A program that a user allowed to bring tools. */
export interface PairedProgram {
  readonly id: string;
  /** The name that it gave itself. Untrusted. */
  readonly name: string;
  /** The version that it stated when it last connected; may be empty. Untrusted. */
  readonly version: string;
  /** ISO 8601. */
  readonly pairedAt: string;
  /** ISO 8601. */
  readonly lastUsedAt: string;
}

/** Paired programs. Only SHA-256 hashes of their tokens are kept. All methods throw `StorageError`. */
export interface PairedPrograms {
  /** Newest first. */
  list(): readonly PairedProgram[];
  /** `tokenHash` is SHA-256 in hex. */
  withToken(tokenHash: string): PairedProgram | undefined;
  /** Returns its id. */
  add(program: { readonly name: string; readonly version: string; readonly tokenHash: string }): string;
  /** Notes that the program connected. */
  used(id: string, version: string): void;
  /** The program's token is worth nothing from now on. Returns false if the program is not there. */
  revoke(id: string): boolean;
}

const COLUMNS = 'id, name, version, paired_at AS pairedAt, last_used_at AS lastUsedAt';

export function createPairedPrograms(database: Database): PairedPrograms {
  return {
    list: () =>
      database.read((connection) =>
        connection.statement<PairedProgram>(`SELECT ${COLUMNS} FROM paired_programs ORDER BY num DESC`).all(),
      ),

    withToken: (tokenHash) =>
      database.read((connection) =>
        connection
          .statement<PairedProgram>(`SELECT ${COLUMNS} FROM paired_programs WHERE token_hash = ?`)
          .get(tokenHash),
      ),

    add: ({ name, version, tokenHash }) => {
      const id = randomUUID();
      const now = database.now().toISOString();
      database.write((connection) =>
        connection
          .statement(
            'INSERT INTO paired_programs (id, name, version, token_hash, paired_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?)',
          )
          .run(id, name, version, tokenHash, now, now),
      );
      return id;
    },

    used: (id, version) => {
      const now = database.now().toISOString();
      database.write((connection) =>
        connection
          .statement('UPDATE paired_programs SET version = ?, last_used_at = ? WHERE id = ?')
          .run(version, now, id),
      );
    },

    revoke: (id) =>
      database.write(
        (connection) => connection.statement('DELETE FROM paired_programs WHERE id = ?').run(id).changes > 0,
      ),
  };
}
