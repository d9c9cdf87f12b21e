import type { Migration } from './migration.ts';

/**
 * What MCP servers offered last; see records/known-servers.ts. `config_hash`: of the entry in config.json that it was learned
 * under. `offered`: JSON, the mcp room's matter. Derived: a server that is asked again says it again.
 */
export const knownServers: Migration = {
  name: 'known servers',
  up: (database) =>
    database.exec(`
      CREATE TABLE known_servers (
        name TEXT NOT NULL UNIQUE,
        config_hash TEXT NOT NULL,
        offered TEXT NOT NULL CHECK (json_valid(offered)),
        learned_at TEXT NOT NULL
      ) STRICT;
    `),
};
