/** Why a call of a tool that a client registered was allowed or asked about; part of `DecisionReason`. `client`: the name that it gives itself. */
export type ClientReason =
  /** Nothing in the conversation is from outside, and the client does not want the user to be asked. */
  | { readonly code: 'client_tool'; readonly client: string }
  /** The user allowed this tool in this conversation. */
  | { readonly code: 'client_tool_allowed'; readonly client: string }
  | { readonly code: 'client_untrusted'; readonly client: string }
  /** The client wants the user to be asked each time. */
  | { readonly code: 'client_permission'; readonly client: string };

type Code = ClientReason['code'];

export const CLIENT_REASON_TEXTS: {
  readonly [C in Code]: (reason: Extract<ClientReason, { code: C }>) => string;
} = {
  client_tool: ({ client }) =>
    `${client} brought this tool into the conversation, and does not ask for your permission.`,
  client_tool_allowed: () => 'You allowed this tool in this conversation.',
  client_untrusted: ({ client }) =>
    `Text from outside is in this conversation, so Steward asks before it uses this tool of the program that calls itself ${client}. Allowing it covers this tool in this conversation.`,
  client_permission: ({ client }) =>
    `The program that calls itself ${client} wants you to be asked each time before it runs this tool.`,
};
