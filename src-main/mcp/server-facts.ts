import { BUNDLED_SERVER, type KnownServer, knownServerOf } from '../policy/mcp/known-servers.ts';
import { type McpServerFacts, remoteHostOf } from '../policy/mcp/mcp-call.ts';
import type { McpServerConfig } from '../settings/config-schema.ts';

/** The policy's facts about a server, from its confirmed entry in config.json. */
export function serverFacts(server: string, config: McpServerConfig): McpServerFacts {
  const { transport, url, classes = {} } = config;
  // The bundled server reports on this machine.
  const { text = transport === 'bundled' ? 'own' : 'outside' } = config;
  const isRemote = (transport === 'http' || transport === 'sse') && url !== undefined;
  const remoteHost = isRemote ? remoteHostOf(url) : null;
  return { server, text, classes, remoteHost, known: knownServer(config) };
}

/** An entry may have a command and still be reached by its URL: then the command is meaningless. */
function knownServer({ transport, command, args }: McpServerConfig): KnownServer | undefined {
  if (transport === 'bundled') return BUNDLED_SERVER;
  return transport === 'stdio' ? knownServerOf({ command, args }) : undefined;
}
