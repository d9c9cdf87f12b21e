import type { FormConsentRequest } from '../consent.ts';
import { type ConsentQuestion, NO_CALL } from './consent-question.ts';
import { saidByServer, sharedServerPart } from './server-link-question.ts';

/** May the server receive what is entered here? */
export function formQuestion({
  id,
  reason,
  server,
  message,
  fields,
  conversationId,
  conversations,
}: FormConsentRequest): ConsentQuestion {
  return {
    id,
    kind: 'form',
    title: `Fill in this form for “${server}”?`,
    reason,
    tool: null,
    conversationId,
    parts: [...sharedServerPart(conversations), ...saidByServer(message)],
    fields,
    offers: [],
    mayPassVariables: false,
    takesWord: false,
    reviews: 0,
    ...NO_CALL,
  };
}
