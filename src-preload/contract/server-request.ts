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

/** In a conversation, for people. The server's name is as config.json has it. */
export function serverRequestText({ server, asked, answer }: ServerRequest): string {
  return `The MCP server ${server} asked ${ASKED[asked]}. ${ANSWERS[answer]}.`;
}
