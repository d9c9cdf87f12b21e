import { isGrave } from '../../../src-preload/contract/consequence.ts';
import type { KeptFor } from '../../../src-preload/contract/decision-reason.ts';
import { whyNoOffer } from '../../../src-preload/contract/decision-reason.ts';
import { type Access, type InvitationAccess, isEvent, type TouchedAccess } from '../access.ts';
import type { CommandSteps } from '../accesses/access-kind.ts';
import { commandLine } from '../commands/command-line.ts';
import { openedPath } from '../commands/openers.ts';
import type { ToolConsentRequest, ToolGroupConsentRequest } from '../consent.ts';
import { eachOnce } from '../mark-sources.ts';
import { mayBeKept, type RuleDraft } from '../rules.ts';
import { argumentsPart } from './call-arguments.ts';
import { callTitle, groupTitle, nameAmong } from './call-title.ts';
import type { ConsentQuestion, RuleOffer } from './consent-question.ts';
import { eventParts } from './event-parts.ts';
import { mailParts } from './mail-parts.ts';
import type { CommandStep, QuestionPart } from './question-parts.ts';
import { explanationOf, ruleWords } from './rule-words.ts';

/** Of a line with more steps, the consequences show only the grave ones. */
const MAX_STEPS_IN_VIEW = 8;

/** Asks whether this exact call may run. */
export function callQuestion(request: ToolConsentRequest): ConsentQuestion {
  const { id, reason, tool, conversationId, offers, review, consequences } = request;
  return {
    id,
    kind: 'tool',
    title: callTitle(request),
    reason,
    tool,
    conversationId,
    parts: [
      ...consequencesParts([request]),
      ...ownParts(request),
      ...sharedParts(request),
      ...saidParts(request),
      argumentsPart(request),
    ],
    offers: rulesOn(offers, conversationId),
    mayPassVariables: withheldFrom(request).length > 0,
    takesWord: true,
    reviews: review.length,
    ...(isAddress(request) ? { isAddress: true } : {}),
    risk: consequences.some(isGrave) ? 'grave' : 'plain',
    noRule: offers.length > 0 ? null : whyNoOffer(reason),
    calls: [],
  };
}

/** Asks which of these similar calls may run. */
export function groupQuestion({
  id,
  reason,
  tool,
  calls,
  offers,
  conversationId,
}: ToolGroupConsentRequest): ConsentQuestion {
  const [first] = calls;
  const speaking = calls.find((call) => call.said !== '');
  return {
    id,
    kind: 'tool',
    title: groupTitle(calls),
    reason,
    tool,
    conversationId,
    parts: [...consequencesParts(calls), ...(first === undefined ? [] : sharedParts(first)), ...saidParts(speaking)],
    offers: rulesOn(offers, conversationId),
    mayPassVariables: false,
    takesWord: true,
    reviews: 0,
    risk: 'plain',
    noRule:
      offers.length > 0 ? null : calls.some((call) => call.offers.length > 0) ? 'not_for_all' : whyNoOffer(reason),
    calls: calls.map((call) => ({ name: nameAmong(call), parts: [...ownParts(call), argumentsPart(call)] })),
  };
}

function rulesOn(offers: readonly RuleDraft[], conversationId: string | null): readonly RuleOffer[] {
  // A call outside any conversation has none that a rule could be kept for.
  const durations: readonly KeptFor[] =
    conversationId === null ? ['week', 'always'] : ['conversation', 'week', 'always'];
  return offers.flatMap((rule) => {
    const keepFor = durations.filter((each) => mayBeKept(rule, each));
    return keepFor.length === 0 ? [] : [{ rule, words: ruleWords(rule), ...explanationOf(rule), keepFor }];
  });
}

/**
 * Whether the question is only about addresses. A service and the links of a sender are asked about once per
 * conversation, so they do not count.
 */
function isAddress({ access, classes, reason }: ToolConsentRequest): boolean {
  if (reason.code === 'mail_link') return false;
  const isRead = classes.every((each) => each === 'network') && access.length > 0;
  return isRead && access.every((each) => each.kind === 'request' && each.service === undefined);
}

/** The commands that want connections. */
function connectedParts({ access }: ToolConsentRequest): QuestionPart[] {
  const lines = new Set(access.flatMap((each) => (each.kind === 'connection' ? [each.line] : [])));
  return [...lines].map((text) => ({ kind: 'text', title: 'Command', text, isShort: true }));
}

function withheldFrom({ access }: ToolConsentRequest): readonly string[] {
  return [...new Set(access.flatMap((each) => (each.kind === 'command' ? (each.withheld ?? []) : [])))];
}

function consequencesParts(calls: readonly ToolConsentRequest[]): QuestionPart[] {
  const consequences = calls.flatMap((call) => call.consequences);
  const different = [...new Map(consequences.map((each) => [JSON.stringify(each), each])).values()];
  const steps = calls
    .flatMap(commandParts)
    .flatMap((part) =>
      part.steps.length <= MAX_STEPS_IN_VIEW
        ? []
        : part.steps.flatMap((step) => (step.isGrave ? [step.text.trim()] : [])),
    );
  return different.length === 0 ? [] : [{ kind: 'consequences', consequences: different, steps }];
}

/** The parts that similar calls share. */
function sharedParts({ marks, rulesMeet, askedBy }: ToolConsentRequest): QuestionPart[] {
  const parts: QuestionPart[] = [];
  if (askedBy !== undefined) parts.push({ kind: 'asked-by', ...askedBy });
  if (marks.length > 0) parts.push({ kind: 'read', marks: eachOnce(marks) });
  if (rulesMeet) parts.push({ kind: 'caution', code: 'rules_meet' });
  return parts;
}

function ownParts(request: ToolConsentRequest): QuestionPart[] {
  const { previews, review } = request;
  const parts: QuestionPart[] = [];
  const accesses = touched(request);
  for (const each of request.access) if (each.kind === 'mail') parts.push(...mailParts(each));
  for (const each of request.access)
    if (isEvent(each)) parts.push(...eventParts(each.event, each, invitationOf(request)));
  if (accesses.length > 0) parts.push({ kind: 'touches', accesses });
  parts.push(...openedParts(request), ...commandParts(request), ...connectedParts(request));
  const names = withheldFrom(request);
  if (names.length > 0) parts.push({ kind: 'withheld', names });
  parts.push(...previews);
  for (const change of review) parts.push({ kind: 'unreviewed', change });
  return parts;
}

function saidParts({ said, askedBy }: Partial<Pick<ToolConsentRequest, 'said' | 'askedBy'>> = {}): QuestionPart[] {
  const text = said?.trim() ?? '';
  return text === '' ? [] : [{ kind: 'said', text, by: askedBy?.provider ?? null }];
}

/**
 * What the call touches besides what the card already shows: a change to a file inside the roots is a diff that has the
 * path as its title.
 */
function touched({ access, previews }: ToolConsentRequest): readonly TouchedAccess[] {
  const shown = new Set(previews.flatMap((each) => (each.kind === 'diff' ? [each.path] : [])));
  const isShown = (each: Access) =>
    each.kind === 'file' &&
    each.class === 'write' &&
    each.isFolder !== true &&
    !each.outsideRoots &&
    shown.has(each.path);
  const invitation = access.some(isEvent) ? invitationOf({ access }) : undefined;
  return access
    .filter((each) => each !== invitation && each.kind !== 'mail' && !isEvent(each))
    .filter((each): each is TouchedAccess => each.kind !== 'command' && !isShown(each));
}

function invitationOf({ access }: Pick<ToolConsentRequest, 'access'>): InvitationAccess | undefined {
  return access.find((each): each is InvitationAccess => each.kind === 'invitation');
}

function commandParts({ access, commandSteps }: ToolConsentRequest): Extract<QuestionPart, { kind: 'command' }>[] {
  const commands = access.flatMap((each) => (each.kind === 'command' ? [each] : []));
  return commands.flatMap((each, index) => {
    if (openedPath(each) !== undefined) return [];
    const { command, directory } = each;
    const line = commandLine(command);
    return [{ kind: 'command', line, steps: stepsOf(line, commandSteps[index]), directory }];
  });
}

/** Shows a path that the system opens without running a command line. */
function openedParts({ access }: ToolConsentRequest): QuestionPart[] {
  return access.flatMap((each) => {
    const path = each.kind === 'command' ? openedPath(each) : undefined;
    return path === undefined ? [] : [{ kind: 'text', title: 'Opens', text: path, isShort: true }];
  });
}

/**
 * The steps of a line. Together they are the whole line, even if the steps that were found are not, so that nothing of
 * it goes unseen.
 */
function stepsOf(line: string, { ends, grave }: CommandSteps = { ends: [], grave: [] }): readonly CommandStep[] {
  const inner = ends.filter((end, at) => end > (ends[at - 1] ?? 0) && end < line.length);
  const bounds = [0, ...inner, line.length];
  return bounds.slice(1).map((end, at) => ({ text: line.slice(bounds[at], end), isGrave: grave.includes(at) }));
}
