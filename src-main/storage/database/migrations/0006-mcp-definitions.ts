import type { Migration } from './migration.ts';

/**
 * What MCP servers said of their tools, and their instructions, as a person accepted it; see records/mcp-definitions.ts. `name`:
 * the tool; empty for instructions. `hash`: SHA-256 of what counts; `text`: what was shown of it, to compare a later one with.
 */
export const mcpDefinitions: Migration = {
  name: 'accepted definitions of MCP servers',
  up: (database) =>
    database.exec(`
      CREATE TABLE mcp_definitions (
        server TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('tool', 'instructions')),
        name TEXT NOT NULL,
        hash TEXT NOT NULL,
        text TEXT NOT NULL,
        accepted_at TEXT NOT NULL,
        PRIMARY KEY (server, kind, name)
      ) STRICT;
    `),
};
