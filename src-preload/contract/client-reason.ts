/**
 * Why a call of a tool that a client registered was allowed or asked about; part of `DecisionReason`. `client` is the
 * name that the program gives itself.
 */
export type ClientReason =
  /** Nothing in the conversation is from outside, and the client does not want the user to be asked. */
  | { readonly code: 'client_tool'; readonly client: string }
  /** The user allowed this tool in this conversation. */
  | { readonly code: 'client_tool_allowed'; readonly client: string }
  | { readonly code: 'client_untrusted'; readonly client: string }
  /** The client wants the user to be asked each time. */
  | { readonly code: 'client_permission'; readonly client: string };

/** The client of `ask --client`, which gives itself no name. No other program may have this one. */
export const ASK_CLIENT_NAME = 'the program that runs ask';

/** The program's name for running text. Only Steward's own name for a program can be relied on. */
export function programNamed(client: string): string {
  return client === ASK_CLIENT_NAME ? client : `the program that calls itself ${client}`;
}

/** Names the program in few words, as the source of a mark. */
export function programAsSource(client: string): string {
  return client === ASK_CLIENT_NAME ? client : `the program ${client}`;
}

type Code = ClientReason['code'];

export const CLIENT_REASON_TEXTS: {
  readonly [C in Code]: (reason: Extract<ClientReason, { code: C }>) => string;
} = {
  client_tool: ({ client }) => `This tool comes from ${programNamed(client)}, which does not ask for your permission.`,
  client_tool_allowed: () => 'You allowed this tool in this conversation.',
  client_untrusted: ({ client }) =>
    `Text from outside is in this conversation, so Steward asks before it uses this tool of ${programNamed(client)}. Allowing it covers this tool in this conversation.`,
  client_permission: ({ client }) => `This tool needs your permission each time, as ${programNamed(client)} requested.`,
};
