import type { ShownMark } from '../../../src-preload/contract/events.ts';
import { commandLine } from '../access-text.ts';
import type { ToolConsentRequest } from '../consent.ts';
import { callTitle } from './call-title.ts';
import type { ConsentQuestion } from './consent-question.ts';
import { type QuestionPart, type TouchedAccess, valueText } from './question-parts.ts';

/** May this exact call run? */
export function callQuestion(request: ToolConsentRequest): ConsentQuestion {
  const { id, reason, tool, conversationId, offers, review } = request;
  // Outside any conversation there is none to keep a rule for.
  const keepFor = conversationId === null ? (['always'] as const) : (['conversation', 'always'] as const);
  return {
    ...{ id, kind: 'tool', title: callTitle(request), reason, tool, conversationId },
    parts: callParts(request),
    offers: offers.map((rule) => ({ rule, keepFor })),
    takesWord: true,
    reviews: review.length,
    ...(isAddress(request) ? { isAddress: true } : {}),
  };
}

/** A service is asked about once for the conversation, and so is no address. */
function isAddress({ access, classes }: ToolConsentRequest): boolean {
  const isRead = classes.every((each) => each === 'network') && access.length > 0;
  return isRead && access.every((each) => 'host' in each && each.service === undefined);
}

function callParts({ marks, access, previews, input, review, rulesMeet }: ToolConsentRequest): QuestionPart[] {
  const parts: QuestionPart[] = [];
  if (marks.length > 0) parts.push({ kind: 'read', marks: eachOnce(marks) });
  const accesses = access.filter((each): each is TouchedAccess => each.class !== 'execute');
  if (accesses.length > 0) parts.push({ kind: 'touches', accesses });
  for (const each of access)
    if (each.class === 'execute')
      parts.push({ kind: 'command', line: commandLine(each.command), directory: each.directory });
  parts.push(...previews);
  for (const change of review) parts.push({ kind: 'unreviewed', change });
  if (rulesMeet) parts.push({ kind: 'caution', code: 'rules_meet' });
  parts.push({
    kind: 'arguments',
    values: Object.entries(input).map(([name, value]) => ({ name, text: valueText(value) })),
  });
  return parts;
}

function eachOnce(marks: readonly ShownMark[]): readonly ShownMark[] {
  return [...new Map(marks.map((mark) => [`${mark.kind} ${mark.source}`, mark])).values()];
}
