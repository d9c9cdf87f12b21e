/** Why a call of an MCP server's tool was allowed or asked about, and why its definitions are; part of `DecisionReason`. */
export type McpReason =
  /** A tool that changes something, by the table, the person's or the server's own word. */
  | { readonly code: 'mcp_write'; readonly server: string }
  | { readonly code: 'mcp_write_untrusted'; readonly server: string }
  /** The server says of its tool that it only reads. */
  | { readonly code: 'mcp_claim'; readonly server: string }
  /** Nothing says what the tool does. */
  | { readonly code: 'mcp_unknown'; readonly server: string }
  /** Resources or prompts of a server that was not reviewed. */
  | { readonly code: 'mcp_content'; readonly server: string; readonly content: 'resources' | 'prompts' }
  /** The server is elsewhere, and the arguments could carry text there. */
  | { readonly code: 'mcp_remote_marked'; readonly server: string }
  /** What the server says of its tools was not seen yet; else it became different since it was. */
  | { readonly code: 'mcp_definitions'; readonly server: string; readonly isFirst: boolean }
  /** Allowed: by the table, or because the person said so. */
  | { readonly code: 'mcp_read'; readonly server: string };

type Code = McpReason['code'];

export const MCP_REASON_TEXTS: { readonly [C in Code]: (reason: Extract<McpReason, { code: C }>) => string } = {
  mcp_write: ({ server }) =>
    `This tool of the MCP server ${server} changes something, so it asks, unless a rule of yours allows it.`,
  mcp_write_untrusted: ({ server }) =>
    `Text from outside is in this conversation, so a tool of the MCP server ${server} that changes something asks every time.`,
  mcp_claim: ({ server }) =>
    `The MCP server ${server} claims that this tool only reads. You have not reviewed it, so it asks.`,
  mcp_unknown: ({ server }) =>
    `The MCP server ${server} does not say what this tool does, and you have not reviewed it, so it asks.`,
  mcp_content: ({ server, content }) =>
    `You have not reviewed the MCP server ${server}, so reading its ${content} asks.`,
  mcp_remote_marked: ({ server }) =>
    `Private text and text from outside are both in this conversation, and the MCP server ${server} is on another machine. A yes counts for this server in this conversation.`,
  mcp_definitions: ({ server, isFirst }) =>
    isFirst
      ? `This is what the MCP server ${server} tells the assistant about its tools. None of it is used until you accept it.`
      : `The MCP server ${server} says something new since you accepted what it said. What is new is not used until you accept it.`,
  mcp_read: ({ server }) => `Reading with this tool of the MCP server ${server} is allowed.`,
};
