import type { ServerRequest } from './events.ts';

const ASKED: Readonly<Record<ServerRequest['asked'], string>> = {
  form: 'to fill in a form',
  link: 'to open an address',
  sampling: 'for an answer of the model',
};

const ANSWERS: Readonly<Record<ServerRequest['answer'], string>> = {
  accepted: 'Accepted',
  declined: 'Declined',
  cancelled: 'Cancelled',
};

/** The text in a conversation. The server's name is the one in config.json. */
export function serverRequestText({ server, asked, answer }: ServerRequest): string {
  return `The MCP server ${server} asked ${ASKED[asked]}. ${ANSWERS[answer]}.`;
}
