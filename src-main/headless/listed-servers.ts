import type { Writable } from 'node:stream';
import type { Command } from '../assistant/commands.ts';
import type { Notice } from '../assistant/turn.ts';
import { visible } from '../base/text.ts';
import type { ServersPart } from '../services.ts';
import { ownLine } from './output.ts';

/**
 * Waits for servers whose tools nobody knows. To list tools, it waits for all of them. To call a tool, it waits for the
 * server that is named. Otherwise it waits as long as a turn does, which itself says for whom.
 */
export async function listServers(
  command: Exclude<Command, { kind: 'unusable' }>,
  { mcp }: Pick<ServersPart, 'mcp'>,
  { stderr, signal }: { readonly stderr: Writable; readonly signal: AbortSignal },
): Promise<readonly Notice[]> {
  const onWaiting = (names: readonly string[]) =>
    void stderr.write(ownLine(`Waiting for the tools of ${names.join(', ')}, at most 30 seconds.`));
  if (command.kind === 'tools') return (await mcp.listed(signal, { onWaiting })).map(notListed);
  const names =
    command.kind === 'tool' ? mcp.unlisted.flatMap(({ name }) => (isToolOf(command, name) ? [name] : [])) : [];
  if (names.length > 0) await mcp.listed(signal, { names, onWaiting });
  else await mcp.listedSoon(signal);
  return [];
}

/** Whether it is named as a tool of this server, in whichever form (tool catalogue A.9, C.3). */
function isToolOf({ name }: { readonly name: string }, server: string): boolean {
  const written = (text: string) => text.toLowerCase().replace(/[^a-z0-9_:-]/g, '_');
  return [`${server}__`, `${server}:`].some((start) => written(name).startsWith(written(start)));
}

function notListed(server: string): Notice {
  const message = `MCP server '${visible(server)}' has not listed its tools within 30 seconds. They are not in this list.`;
  return { code: 'mcp_not_listed', message };
}
