import { visible } from '../../base/text.ts';
import type { FormConsentRequest } from '../consent.ts';
import type { FormField } from '../mcp/form.ts';
import { type ConsentQuestion, NO_CALL } from './consent-question.ts';
import type { QuestionPart } from './question-parts.ts';
import { saidByServer, sharedServerPart } from './server-link-question.ts';

/** Asks whether the server may receive what is entered in this form. */
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
    parts: [...sharedServerPart(conversations), ...saidByServer(message), whoGetsIt(server, fields)],
    fields,
    offers: [],
    mayPassVariables: false,
    takesWord: false,
    reviews: 0,
    ...NO_CALL,
  };
}

/**
 * Warns on every form with more than boxes to tick, because no list of words recognises each field that asks for a PIN or
 * a card number: `the four digits on your card`, as text or digit by digit in choices.
 */
function whoGetsIt(server: string, fields: readonly FormField[]): QuestionPart {
  const gets = `“${visible(server)}” gets what you enter here, as plain text.`;
  const isMoreThanBoxes = fields.some(({ rules }) => rules.kind !== 'boolean');
  const text = isMoreThanBoxes ? `${gets} Don’t enter passwords or codes here.` : gets;
  return { kind: 'note', title: 'Who gets this', text };
}
