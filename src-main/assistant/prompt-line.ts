/** A line that uses a prompt of an MCP server. */
export interface PromptLine {
  readonly server: string;
  /** The name that the server gives the prompt. */
  readonly name: string;
  /** The JSON as it was written, or an empty text if there is none. */
  readonly input: string;
}

/**
 * Reads `/{server}/{prompt} {json}`. Undefined if the text is something else, because no server has that name: it may
 * be a path. Source: tool catalogue C.3.
 */
export function promptLine(text: string, servers: readonly string[]): PromptLine | undefined {
  const line = text.trim();
  // If one server's name begins with another's, the longer name is meant.
  const [server] = servers.filter((each) => line.startsWith(`/${each}/`)).sort((a, b) => b.length - a.length);
  if (server === undefined) return undefined;
  const [, name, input = ''] = /^([^\n]*?)(?:(?<!\s)\s+(\{[\s\S]*))?$/.exec(line.slice(server.length + 2)) ?? [];
  return name === undefined || name.trim() === '' ? undefined : { server, name: name.trim(), input };
}
