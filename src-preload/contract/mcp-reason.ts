/**
 * Why a call of an MCP server's tool was allowed or asked about, and why its definitions need a review; part of
 * `DecisionReason`.
 */
export type McpReason =
  /** A tool that changes something, according to our table, the user or the server. */
  | { readonly code: 'mcp_write'; readonly server: string }
  | { readonly code: 'mcp_write_untrusted'; readonly server: string }
  /** The server claims that its tool only reads. */
  | { readonly code: 'mcp_claim'; readonly server: string }
  /** The server claims that its tool only reads, but the tool's name sounds like a change. */
  | { readonly code: 'mcp_claim_doubtful'; readonly server: string }
  /** The tool's effects are unknown. */
  | { readonly code: 'mcp_unknown'; readonly server: string }
  /** The call reads resources or prompts of a server that was not reviewed. */
  | { readonly code: 'mcp_content'; readonly server: string; readonly content: 'resources' | 'prompts' }
  /** The server is remote, and the arguments could leak text to it. */
  | { readonly code: 'mcp_remote_marked'; readonly server: string }
  /** Definitions that were not reviewed yet (`isFirst`) or have changed since. */
  | { readonly code: 'mcp_definitions'; readonly server: string; readonly isFirst: boolean }
  /** Allowed by our table or the user's setting. */
  | { readonly code: 'mcp_read'; readonly server: string }
  /** These are questions from a server. `isUnasked` is set if none of its tools is running. */
  | { readonly code: 'server_form'; readonly server: string; readonly isUnasked: boolean }
  | { readonly code: 'server_link'; readonly server: string; readonly isUnasked: boolean }
  /** The page was opened; the user confirms when they are done. */
  | { readonly code: 'server_link_opened'; readonly server: string }
  | { readonly code: 'server_sampling'; readonly server: string }
  /** Allowed without asking. */
  | { readonly code: 'server_sampling_allowed'; readonly server: string }
  | { readonly code: 'server_asks_too_often'; readonly server: string }
  | { readonly code: 'form_incomplete' }
  | { readonly code: 'sign_in_not_given' };

type Code = McpReason['code'];

const ofCall = (isUnasked: boolean) =>
  isUnasked ? ', although none of its tools is running' : ' while one of its tools runs';

export const MCP_REASON_TEXTS: {
  readonly [C in Code]: string | ((reason: Extract<McpReason, { code: C }>) => string);
} = {
  mcp_write: ({ server }) =>
    `This tool of the MCP server ${server} changes something, so Steward asks, unless one of your rules allows it.`,
  mcp_write_untrusted: ({ server }) =>
    `Text from outside is in this conversation, so Steward asks every time before a tool of the MCP server ${server} changes something.`,
  mcp_claim: ({ server }) =>
    `The MCP server ${server} claims that this tool only reads. Nothing confirms that, so Steward asks once in each conversation.`,
  mcp_claim_doubtful: ({ server }) =>
    `The MCP server ${server} claims that this tool only reads, but its name sounds like a change, so Steward asks.`,
  mcp_unknown: ({ server }) =>
    `The MCP server ${server} does not say whether this tool changes something, so Steward asks.`,
  mcp_content: ({ server, content }) =>
    `You have not reviewed the MCP server ${server}, so Steward asks before reading its ${content}.`,
  mcp_remote_marked: ({ server }) =>
    `Private text and text from outside are both in this conversation, and the MCP server ${server} is on another machine. Allowing it covers this server in this conversation.`,
  mcp_definitions: ({ server, isFirst }) =>
    isFirst
      ? `This is what the MCP server ${server} tells the assistant about its tools. None of it is used until you accept it.`
      : `The MCP server ${server} has changed its tools or instructions since you accepted them. The changes are not used until you accept them.`,
  server_form: ({ server, isUnasked }) =>
    `The MCP server ${server} asks you for this${ofCall(isUnasked)}. What you enter goes to that server. The text and the fields are the server’s.`,
  server_link: ({ server, isUnasked }) =>
    `The MCP server ${server} asks you to open this address${ofCall(isUnasked)}. The text is the server’s.`,
  server_link_opened: ({ server }) =>
    `The MCP server ${server} needs you to finish on that page before its tool can continue.`,
  server_sampling: ({ server }) =>
    `The MCP server ${server} wants to use your model while one of its tools runs. The server wrote all of the text below and gets the answer. Nothing else from this conversation is sent.`,
  server_sampling_allowed: ({ server }) =>
    `You allowed the MCP server ${server} to use the model in this conversation.`,
  server_asks_too_often: ({ server }) =>
    `You declined several requests of the MCP server ${server}, so you will not be asked again until Steward is restarted.`,
  form_incomplete: 'The form has fields without a default, and there was no one to fill them in.',
  sign_in_not_given: 'Opening a browser from the terminal needs --sign-in.',
  mcp_read: ({ server }) => `Reading with this tool of the MCP server ${server} is allowed.`,
};
