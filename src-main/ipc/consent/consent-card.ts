import { isUsual, whyText } from '../../../src-preload/contract/asking-why.ts';
import type {
  CardCall,
  CardDefinition,
  CardField,
  CardPart,
  ConsentCard,
} from '../../../src-preload/contract/consent.ts';
import { consequenceText, isGrave } from '../../../src-preload/contract/consequence.ts';
import { askingText } from '../../../src-preload/contract/decision-reason.ts';
import type { ShownMark } from '../../../src-preload/contract/events.ts';
import { markText } from '../../../src-preload/contract/mark-text.ts';
import { noRuleText } from '../../../src-preload/contract/no-rule-reason.ts';
import { FINDING_TEXTS } from '../../../src-preload/contract/tool-review.ts';
import { undoRefusalText } from '../../../src-preload/contract/undo-refusal.ts';
import { shortenedAtSentence, visible, visibleLines } from '../../base/text.ts';
import { describeAccess, shownClass } from '../../policy/access-text.ts';
import type { DiffPreview } from '../../policy/diff-preview.ts';
import { LineDiffs } from '../../policy/line-diff.ts';
import type { FormField } from '../../policy/mcp/form.ts';
import { wordDiff } from '../../policy/mcp/word-diff.ts';
import type { ConsentQuestion } from '../../policy/question/consent-question.ts';
import {
  askedByText,
  cautionText,
  type NamedText,
  partTitle,
  type QuestionPart,
  STANDING_TITLE,
} from '../../policy/question/question-parts.ts';

/** The question as the window draws it, with invisible and reordering characters made visible. */
export async function consentCard(question: ConsentQuestion, conversationTitle: string | null): Promise<ConsentCard> {
  const { id, kind, title, reason, tool, offers, takesWord, isAddress, reviews, risk, noRule } = question;
  const { mayPassVariables, mayStopAsking = false, mayAllowServer, fields, host, isOpened, wasShown } = question;
  const why = kind === 'tool' ? visible(whyText(reason)) : '';
  const diffs = new LineDiffs();
  const parts = await cardParts(question.parts, diffs);
  const calls: CardCall[] = [];
  for (const call of question.calls)
    calls.push({ name: visible(call.name), parts: await cardParts(call.parts, diffs) });
  return {
    id,
    kind,
    parts,
    calls,
    risk,
    ...(isForPeople(question) ? { isForPeople: true } : {}),
    mayPassVariables,
    takesWord,
    mayStopAsking,
    reviews,
    ...(isAddress === undefined ? {} : { isAddress }),
    ...(fields === undefined ? {} : { fields: fields.map(cardField) }),
    ...(host === undefined ? {} : { host: visible(host) }),
    ...(isOpened === undefined ? {} : { isOpened }),
    ...(wasShown === undefined ? {} : { wasShown }),
    ...(mayAllowServer === undefined ? {} : { mayAllowServer }),
    title: visible(title),
    ...(why === '' ? {} : { why }),
    reason: visibleLines(askingText(reason)),
    noRule: noRule === null ? null : noRuleText(noRule),
    tool: tool === null ? null : visible(tool),
    offers: offers.map(({ rule, words, ...offer }) => ({
      label: visible(words),
      detail: visible(rule.label),
      ...offer,
    })),
    conversationTitle: conversationTitle === null ? null : visible(conversationTitle),
  };
}

/** Nothing else makes it grave. */
function isForPeople({ kind, risk, parts }: ConsentQuestion): boolean {
  const codes = parts.flatMap((part) =>
    part.kind === 'consequences' ? part.consequences.filter(isGrave).map(({ code }) => code) : [],
  );
  return risk === 'grave' && (kind === 'mail' || codes.length > 0) && codes.every((code) => code === 'reaches_people');
}

/**
 * The user must see a field's value exactly as it is sent, so a server's default with hidden characters is not used.
 */
function cardField({ title, description, rules, options, initial, looksSecret }: FormField): CardField {
  return {
    title: visible(title),
    description: visibleLines(description),
    rules,
    looksSecret,
    options: options.map((option) => visible(option.title)),
    initial: typeof initial === 'string' && visible(initial) !== initial ? '' : initial,
  };
}

async function cardParts(parts: readonly QuestionPart[], diffs: LineDiffs): Promise<readonly CardPart[]> {
  const drawn: CardPart[] = [];
  for (const [index, part] of parts.entries()) if (!isEmpty(part)) drawn.push(await cardPart(part, index, diffs));
  return drawn;
}

function isEmpty(part: QuestionPart): boolean {
  return part.kind === 'arguments' && part.values.length === 0 && part.derived.length === 0;
}

async function cardPart(part: QuestionPart, index: number, diffs: LineDiffs): Promise<CardPart> {
  const title = visible(partTitle(part));
  switch (part.kind) {
    case 'read':
      return readPart(title, part.marks);
    case 'touches': {
      const accesses = part.accesses.map((each) => ({
        class: shownClass(each),
        text: visibleLines(describeAccess(each)),
      }));
      return { kind: 'touches', title, accesses };
    }
    case 'consequences': {
      const consequences = part.consequences.map((each) => ({
        text: visible(consequenceText(each)),
        isGrave: isGrave(each),
        isUsual: isUsual(each),
      }));
      return { kind: 'consequences', title, consequences, steps: part.steps.map(visibleLines) };
    }
    case 'command': {
      const steps = part.steps.map((step) => ({ text: visibleLines(step.text), isGrave: step.isGrave }));
      return { kind: 'command', title, line: visibleLines(part.line), steps, directory: visible(part.directory) };
    }
    case 'asked-by':
      return { kind: 'text', title, text: visible(askedByText(part)), isShort: true };
    case 'said':
      return { kind: 'said', title, text: visibleLines(part.text) };
    case 'withheld':
      return { kind: 'withheld', title, names: part.names.map(visible) };
    case 'diff':
      return diffPart(title, part, diffs);
    case 'unreviewed':
      return { ...(await diffPart(title, part.change, diffs)), isEarlier: true };
    case 'caution':
      return { kind: 'caution', title, text: cautionText(part.code) };
    case 'note':
      return { kind: 'note', title, text: part.text };
    case 'text':
      return {
        kind: 'text',
        title,
        text: visibleLines(part.text),
        ...(part.isShort ? { isShort: true } : {}),
        ...(part.isBody ? { isBody: true } : {}),
      };
    case 'arguments':
      return { kind: 'arguments', title, values: part.values.map(shown), derived: part.derived.map(shown) };
    case 'value': {
      const standing = part.standing === null ? null : { title: STANDING_TITLE, text: visibleLines(part.standing) };
      return { kind: 'value', title, text: visibleLines(part.text), standing };
    }
    case 'definition':
      return { title, ...(await cardDefinition(part, index)) };
    case 'stays': {
      const lines = part.refused.map(({ path, reason }) => visible(`${path}: ${undoRefusalText(reason)}`));
      return { kind: 'text', title, text: lines.join('\n') };
    }
  }
}

/** A description up to this length is shown in whole. In UTF-16 units. */
const SHOWN_WHOLE = 400;

async function cardDefinition(
  part: Extract<QuestionPart, { kind: 'definition' }>,
  index: number,
): Promise<CardDefinition> {
  const pieces = await wordDiff(part.before, part.now);
  return {
    kind: 'definition',
    of: part.of,
    name: visible(part.name),
    isChanged: part.before !== null,
    text: visibleLines(part.description),
    summary: visibleLines(shortenedAtSentence(part.description, SHOWN_WHOLE)),
    parameters: part.parameters.map(({ name, type, isRequired, description }) => ({
      name: visible(name),
      type: visible(type),
      isRequired,
      description: visibleLines(description),
    })),
    pieces: pieces.map(({ kind, text }) => ({ kind, text: visibleLines(text) })),
    findings: part.findings.map(({ kind, excerpt }) => ({ text: FINDING_TEXTS[kind], excerpt: visible(excerpt) })),
    ...(part.choice === undefined ? {} : { choice: { ...part.choice, part: index } }),
  };
}

function readPart(title: string, marks: readonly ShownMark[]): CardPart {
  const outside = marks.filter(({ kind }) => kind === 'untrusted');
  const others = marks.filter(({ kind }) => kind !== 'untrusted');
  const sources = [...outside, ...others].map((mark) => visible(markText(mark)));
  return { kind: 'read', title, sources, outside: outside.map(({ source }) => visible(source)) };
}

async function diffPart(
  title: string,
  change: DiffPreview,
  diffs: LineDiffs,
): Promise<Extract<CardPart, { kind: 'diff' }>> {
  const lines = (await diffs.of(change)).map(({ kind, text }) => ({ kind, text: visible(text) }));
  const note = change.note === undefined ? null : visible(change.note);
  return { kind: 'diff', title, path: visible(change.path), note, lines };
}

function shown({ name, text }: NamedText): NamedText {
  return { name: visible(name), text: visibleLines(text) };
}
