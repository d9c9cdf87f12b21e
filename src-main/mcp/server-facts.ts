import type { TemplateId } from '../../src-preload/contract/servers.ts';
import { BUNDLED_SERVER, type KnownServer, TEMPLATE_SERVERS } from '../policy/mcp/known-servers.ts';
import { type McpServerFacts, remoteHostOf } from '../policy/mcp/mcp-call.ts';
import type { McpServerConfig } from '../settings/config-schema.ts';

/**
 * The policy's facts about a server, from its confirmed entry in config.json. `template` is the one that made this
 * entry, if nobody changed it since. Nothing that an entry says of itself makes its server a known one.
 */
export function serverFacts(server: string, config: McpServerConfig, template: TemplateId | undefined): McpServerFacts {
  const { transport, url, classes = {} } = config;
  // The bundled server reports on this machine.
  const { text = transport === 'bundled' ? 'own' : 'outside' } = config;
  const isRemote = (transport === 'http' || transport === 'sse') && url !== undefined;
  const remoteHost = isRemote ? remoteHostOf(url) : null;
  return { server, text, classes, remoteHost, known: knownServer(config, template) };
}

/** An entry may have a command and still be reached by its URL: then the command is meaningless. */
function knownServer({ transport }: McpServerConfig, template: TemplateId | undefined): KnownServer | undefined {
  if (transport === 'bundled') return BUNDLED_SERVER;
  return transport === 'stdio' && template !== undefined ? TEMPLATE_SERVERS[template] : undefined;
}
