import type { DefinitionsConsentRequest } from '../consent.ts';
import { parametersInWords } from '../mcp/parameter-words.ts';
import { type ConsentQuestion, NO_CALL } from './consent-question.ts';

/** Asks whether the model may be given these definitions of a server's tools. */
export function definitionsQuestion({
  id,
  reason,
  server,
  changes,
  isFirst,
}: DefinitionsConsentRequest): ConsentQuestion {
  const title = isFirst ? `Use the tools of “${server}”?` : `Accept what “${server}” changed?`;
  return {
    id,
    kind: 'grant',
    title,
    reason,
    tool: null,
    conversationId: null,
    parts: changes.map(({ now, before, tool, findings = [], choice }) => ({
      kind: 'definition',
      of: now.kind,
      name: now.name,
      before,
      now: now.text,
      description: tool?.description ?? now.text,
      parameters: parametersInWords(tool?.inputSchema),
      findings,
      ...(choice === undefined ? {} : { choice }),
    })),
    offers: [],
    mayPassVariables: false,
    takesWord: false,
    reviews: 0,
    ...NO_CALL,
  };
}
