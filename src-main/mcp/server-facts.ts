import { BUNDLED_SERVER, type KnownServer, knownServerOf } from '../policy/mcp/known-servers.ts';
import { type McpServerFacts, remoteHostOf } from '../policy/mcp/mcp-call.ts';
import type { McpServerConfig } from '../settings/config-schema.ts';

/** What the policy is told of a server, by its entry in config.json as the person confirmed it. */
export function serverFacts(server: string, config: McpServerConfig): McpServerFacts {
  const { transport, url, classes = {} } = config;
  // The bundled server says what this machine says.
  const { text = transport === 'bundled' ? 'own' : 'outside' } = config;
  const isRemote = (transport === 'http' || transport === 'sse') && url !== undefined;
  const remoteHost = isRemote ? remoteHostOf(url) : null;
  return { server, text, classes, remoteHost, known: knownServer(config) };
}

/** An entry may name a command and still be reached by its URL: then the command says nothing of it. */
function knownServer({ transport, command, args }: McpServerConfig): KnownServer | undefined {
  if (transport === 'bundled') return BUNDLED_SERVER;
  return transport === 'stdio' ? knownServerOf({ command, args }) : undefined;
}
