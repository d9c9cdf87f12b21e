/** A line that uses a prompt of an MCP server. */
export interface PromptLine {
  readonly server: string;
  /** As the server names it. */
  readonly name: string;
  /** JSON, as it was written; empty: none. */
  readonly input: string;
}

/**
 * Reads `/{server}/{prompt} {json}`; `undefined`: the text is none, because there is no server of that name, as in a
 * path. Source: tool catalogue C.3.
 */
export function promptLine(text: string, servers: readonly string[]): PromptLine | undefined {
  const line = text.trim();
  // If one server's name begins with another's, the longer name is meant.
  const [server] = servers.filter((each) => line.startsWith(`/${each}/`)).sort((a, b) => b.length - a.length);
  if (server === undefined) return undefined;
  const [, name, input = ''] = /^([^\n]*?)(?:(?<!\s)\s+(\{[\s\S]*))?$/.exec(line.slice(server.length + 2)) ?? [];
  return name === undefined || name.trim() === '' ? undefined : { server, name: name.trim(), input };
}
