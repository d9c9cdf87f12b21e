import { grouped } from '../../base/text.ts';
import type { SamplingConsentRequest, SamplingCost } from '../consent.ts';
import { type ConsentQuestion, NO_CALL } from './consent-question.ts';
import { consequencePart, type QuestionPart } from './question-parts.ts';
import { sharedServerPart } from './server-link-question.ts';

const ROLES = { user: 'as the user', assistant: 'as the assistant' } as const;

/** Asks whether the server may have the model answer this. It shows everything that would be sent. */
export function samplingQuestion(request: SamplingConsentRequest): ConsentQuestion {
  const { id, reason, server, system, messages, tools, stopSequences, conversationId } = request;
  const { conversations } = request;
  const isFree = request.cost.most === 0;
  const parts: QuestionPart[] = [
    ...(isFree ? [] : [consequencePart({ code: 'spends', most: request.cost.most })]),
    ...sharedServerPart(conversations),
    { kind: 'text', title: 'Model and cost', text: costText(request) },
  ];
  if (system !== '') parts.push({ kind: 'text', title: 'System prompt', text: system });
  for (const [index, { role, text }] of messages.entries())
    parts.push({ kind: 'text', title: `Message ${index + 1} of ${messages.length}, ${ROLES[role]}`, text });
  if (stopSequences.length > 0) {
    const text = stopSequences.map((sequence) => JSON.stringify(sequence)).join('\n');
    parts.push({ kind: 'text', title: 'The answer ends at', text });
  }
  for (const { name, text } of tools) parts.push({ kind: 'text', title: `Tool of the server: ${name}`, text });
  if (request.preferences !== '')
    parts.push({ kind: 'text', title: 'The server would prefer (not followed)', text: request.preferences });
  if (request.wantsContext)
    parts.push({ kind: 'text', title: 'Not sent', text: 'The server asked for the text of your conversation too.' });
  return {
    id,
    kind: 'sampling',
    title: `Let “${server}” ask your model?`,
    reason,
    tool: null,
    conversationId,
    parts,
    ...(conversations > 1 ? {} : { mayAllowServer: true as const }),
    offers: [],
    mayPassVariables: false,
    takesWord: false,
    reviews: 0,
    ...NO_CALL,
    ...(isFree ? {} : { risk: 'grave' as const }),
  };
}

function costText({ model, cost }: Pick<SamplingConsentRequest, 'model' | 'cost'>): string {
  const { inputTokens, mostOutputTokens, most } = cost satisfies SamplingCost;
  const tokens = `About ${grouped(inputTokens)} tokens are sent, and at most ${grouped(mostOutputTokens)} come back.`;
  const price =
    most === null ? 'The price is not known.' : `This costs at most about $${most.toFixed(most < 0.01 ? 4 : 2)}.`;
  return `${model}\n${tokens} ${price}`;
}
