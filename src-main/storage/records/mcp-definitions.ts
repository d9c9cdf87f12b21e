import type { Database } from '../database/database.ts';

/** A text of an MCP server as a user accepted it. `name` is the tool's, and empty for the server's instructions. */
export interface AcceptedText {
  readonly kind: 'tool' | 'instructions';
  readonly name: string;
  readonly text: string;
  /** SHA-256 (hex) of everything that counts. */
  readonly hash: string;
}

/** Texts of MCP servers about their tools, as accepted. All methods throw `StorageError`. */
export interface McpDefinitions {
  /** The texts ordered by name. */
  list(server: string): readonly AcceptedText[];
  /** Committed when it returns. Each replaces the one of the same kind and name. */
  accept(server: string, texts: readonly AcceptedText[]): void;
  forget(server: string): void;
  /** The servers that have stored definitions. */
  servers(): readonly string[];
}

const SELECT = 'SELECT kind, name, text, hash FROM mcp_definitions WHERE server = ? ORDER BY kind, name';
const INSERT = `
  INSERT INTO mcp_definitions (server, kind, name, hash, text, accepted_at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (server, kind, name) DO UPDATE SET
    hash = excluded.hash, text = excluded.text, accepted_at = excluded.accepted_at`;

export function createMcpDefinitions(database: Database): McpDefinitions {
  return {
    list: (server) => database.read((connection) => connection.statement<AcceptedText>(SELECT).all(server)),

    accept: (server, texts) => {
      const acceptedAt = database.now().toISOString();
      database.write((connection) =>
        connection.transaction(() => {
          for (const { kind, name, hash, text } of texts)
            connection.statement(INSERT).run(server, kind, name, hash, text, acceptedAt);
        }),
      );
    },

    forget: (server) => {
      database.write((connection) => connection.statement('DELETE FROM mcp_definitions WHERE server = ?').run(server));
    },

    servers: () =>
      database.read((connection) =>
        connection
          .statement<{ server: string }>('SELECT DISTINCT server FROM mcp_definitions')
          .all()
          .map(({ server }) => server),
      ),
  };
}
