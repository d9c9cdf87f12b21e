import type { ServerLinkConsentRequest } from '../consent.ts';
import { type ConsentQuestion, NO_CALL } from './consent-question.ts';
import type { QuestionPart } from './question-parts.ts';

/** Asks whether the server's address may be opened, or whether the user is done there. */
export function serverLinkQuestion(request: ServerLinkConsentRequest): ConsentQuestion {
  const { id, reason, server, message, url, host, stage, conversationId, conversations } = request;
  const title = stage === 'asked' ? `Open a page for “${server}”?` : `Done in the browser for “${server}”?`;
  return {
    id,
    kind: 'server-link',
    title,
    reason,
    tool: null,
    conversationId,
    host,
    parts: [
      ...sharedServerPart(conversations),
      ...saidByServer(message),
      { kind: 'text', title: 'Full address', text: url },
    ],
    ...(stage === 'opened' ? { isOpened: true as const } : {}),
    offers: [],
    mayPassVariables: false,
    takesWord: false,
    reviews: 0,
    ...NO_CALL,
  };
}

/** Says that the question may belong to another conversation than the one that it is shown in. */
export function sharedServerPart(conversations: number): readonly QuestionPart[] {
  if (conversations < 2) return [];
  const text =
    'The server does not say which of them this is for. It is shown in the one whose call started last, and may be for another.';
  return [{ kind: 'text', title: `Asked while ${conversations} conversations use this server`, text }];
}

export function saidByServer(message: string): readonly QuestionPart[] {
  return message.trim() === '' ? [] : [{ kind: 'text', title: 'The server says', text: message }];
}
