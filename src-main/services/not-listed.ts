import type { Notice } from '../assistant/turn.ts';
import { visible } from '../base/text.ts';

/** A turn goes on without the tools of these servers. */
export function notListedNotices(servers: readonly string[]): readonly Notice[] {
  if (servers.length === 0) return [];
  const [one] = servers.length === 1 ? servers : [];
  const who =
    one === undefined
      ? `These MCP servers have not listed their tools yet: ${servers.map(visible).join(', ')}.`
      : `MCP server '${visible(one)}' has not listed its tools yet.`;
  const message = `${who} The answer begins without them, and uses them as soon as they are there.`;
  return [{ code: 'mcp_not_listed', message }];
}
