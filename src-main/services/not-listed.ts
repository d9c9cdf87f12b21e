import type { Notice } from '../assistant/turn.ts';
import { visible } from '../base/text.ts';

const CODE = 'mcp_not_listed';

/** A turn goes on without the tools of these servers. */
export function notListedNotices(servers: readonly string[]): readonly Notice[] {
  if (servers.length === 0) return [];
  const [one] = servers.length === 1 ? servers : [];
  const who =
    one === undefined
      ? `These MCP servers have not listed their tools yet: ${named(servers)}.`
      : `MCP server '${visible(one)}' has not listed its tools yet.`;
  return [{ code: CODE, message: `${who} The answer begins without them, and uses them as soon as they are there.` }];
}

/** A list of all tools is not complete. */
export function stillNotListedNotices(servers: readonly string[]): readonly Notice[] {
  return servers.map((server) => ({
    code: CODE,
    message: `MCP server '${visible(server)}' has not listed its tools within 30 seconds. They are not in this list.`,
  }));
}

export function awaitedText(servers: readonly string[]): string {
  return `Waiting for the tools of ${named(servers)}, at most 30 seconds.`;
}

function named(servers: readonly string[]): string {
  return servers.map(visible).join(', ');
}
