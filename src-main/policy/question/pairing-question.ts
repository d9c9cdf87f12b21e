import type { PairingConsentRequest } from '../consent.ts';
import { type ConsentQuestion, NO_CALL } from './consent-question.ts';
import { consequencePart, type QuestionPart } from './question-parts.ts';

const ANY_PROGRAM =
  'Steward can’t check it. Any program that runs as you can connect under any name, and so can a command that the assistant ran.';
const POWER =
  'It can add tools and text to your conversations, also while you are away. What it sends counts as text from outside. What its tools do happens in that program, where Steward can’t see or undo it. It is told the arguments of the calls of its tools. It stays paired until you remove it in Settings, under Programs.';

/** Asks whether this program may bring tools. It chose its name and version itself. */
export function pairingQuestion(request: PairingConsentRequest): ConsentQuestion {
  const { id, reason, name, version, replaces, running } = request;
  return {
    id,
    kind: 'pairing',
    title: `Pair with “${name}”?`,
    reason,
    tool: null,
    conversationId: null,
    parts: [
      consequencePart({ code: 'lets_programs_in' }),
      { kind: 'text', title: 'The program calls itself', text: version === '' ? name : `${name}, version ${version}` },
      { kind: 'note', title: 'The program chose its own name', text: ANY_PROGRAM },
      ...runningPart(running),
      ...replacedPart(replaces),
      { kind: 'note', title: 'If you pair it', text: POWER },
    ],
    offers: [],
    mayPassVariables: false,
    takesWord: false,
    reviews: 0,
    ...NO_CALL,
    risk: 'grave',
  };
}

function runningPart(running: readonly string[]): readonly QuestionPart[] {
  if (running.length === 0) return [];
  return [
    { kind: 'text', title: 'Started by the assistant and running now: is it one of these?', text: running.join('\n') },
  ];
}

function replacedPart(replaces: string | null): readonly QuestionPart[] {
  if (replaces === null) return [];
  const text = `It was paired on ${replaces.slice(0, 'YYYY-MM-DD'.length)}. If you pair this one, the earlier pairing ends.`;
  return [{ kind: 'note', title: 'A program of this name is already paired', text }];
}
