import type { DiffLine } from '../../src-preload/contract/consent.ts';
import { consequenceText, isGrave } from '../../src-preload/contract/consequence.ts';
import { questionReasonText } from '../../src-preload/contract/decision-reason.ts';
import { markText } from '../../src-preload/contract/mark-text.ts';
import { FINDING_TEXTS } from '../../src-preload/contract/tool-review.ts';
import { undoRefusalText } from '../../src-preload/contract/undo-refusal.ts';
import { visible } from '../base/text.ts';
import { describeAccess } from '../policy/access-text.ts';
import type { DiffPreview } from '../policy/diff-preview.ts';
import { LineDiffs } from '../policy/line-diff.ts';
import { wordDiff } from '../policy/mcp/word-diff.ts';
import type { ConsentQuestion } from '../policy/question/consent-question.ts';
import {
  askedByText,
  cautionText,
  type NamedText,
  partTitle,
  type QuestionPart,
  STANDING_TITLE,
} from '../policy/question/question-parts.ts';

type ConsequencesPart = Extract<QuestionPart, { kind: 'consequences' }>;

export interface ConsentTextOptions {
  readonly color: boolean;
  /** The width of the terminal. Undefined if it is unknown, and then lines are not wrapped. */
  readonly columns: number | undefined;
}

/** Prefix of every line that is not ours, so that it can't be mistaken for one of ours. */
const GUTTER = '  │ ';
const CONTINUED = '  ┊ ';
const MIN_TEXT_COLUMNS = 20;
const RED = '31';
const GREEN = '32';
const BOLD = '1';

/** The whole question, without the lines that ask for the answer. */
export async function consentText(question: ConsentQuestion, options: ConsentTextOptions): Promise<string> {
  const writer = new QuestionWriter(options);
  const { title, tool, reason, offers, host } = question;
  writer.title(`Steward asks: ${title}`);
  for (const part of question.parts) if (part.kind === 'consequences') writeConsequences(part, writer);
  if (tool !== null) {
    writer.line(tool);
    writer.heading('Why you are asked');
  }
  writer.untrusted(questionReasonText(reason));
  if (host !== undefined) writer.named({ name: 'Host', text: host });
  const diffs = new LineDiffs();
  for (const part of inOrder(question.parts)) await writePart(part, diffs, writer);
  if (offers.length > 0) writer.heading('Rules you can save');
  for (const [index, { rule, explanation = [] }] of offers.entries()) {
    writer.numbered(index + 1, rule.label);
    for (const sentence of explanation) writer.line(sentence);
  }
  return writer.text();
}

/** The effects come last, next to the answer, because long arguments scroll out of view. */
function inOrder(parts: readonly QuestionPart[]): readonly Exclude<QuestionPart, ConsequencesPart>[] {
  const isFirst = ({ kind }: QuestionPart) =>
    kind === 'asked-by' || kind === 'read' || kind === 'arguments' || kind === 'said';
  const others = parts.filter((part) => part.kind !== 'consequences');
  return [...others.filter(isFirst), ...others.filter((part) => !isFirst(part))];
}

/** Below the title, gravest first, so that they are read even if nothing else is. */
function writeConsequences({ consequences, steps }: ConsequencesPart, writer: QuestionWriter): void {
  for (const each of consequences) writer.consequence(consequenceText(each), isGrave(each));
  for (const step of steps) writer.untrusted(step);
}

async function writePart(
  part: Exclude<QuestionPart, ConsequencesPart>,
  diffs: LineDiffs,
  writer: QuestionWriter,
): Promise<void> {
  if (part.kind === 'text') return writer.named({ name: part.title, text: part.text });
  writer.heading(partTitle(part));
  switch (part.kind) {
    case 'read':
      for (const mark of part.marks) writer.line(markText(mark));
      return;
    case 'touches':
      for (const access of part.accesses) writer.untrusted(describeAccess(access));
      return;
    case 'command':
      writer.untrusted(part.line);
      writer.heading('In the folder');
      return writer.line(part.directory);
    case 'withheld':
      return writer.line(part.names.join(', '));
    case 'diff':
      return writeDiff(part, diffs, writer);
    case 'unreviewed':
      return writeDiff(part.change, diffs, writer);
    case 'note':
      return writer.untrusted(part.text);
    case 'caution':
      return writer.untrusted(cautionText(part.code));
    case 'asked-by':
      return writer.line(askedByText(part));
    case 'said':
      return writer.untrusted(part.text);
    case 'arguments':
      for (const value of [...part.values, ...part.derived]) writer.named(value);
      if (part.values.length + part.derived.length === 0) writer.line('none');
      return;
    case 'value':
      writer.untrusted(part.text);
      if (part.standing === null) return;
      writer.heading(STANDING_TITLE);
      return writer.untrusted(part.standing);
    case 'definition':
      return writeDefinition(part, writer);
    case 'stays':
      for (const { path, reason } of part.refused) writer.line(`${path}: ${undoRefusalText(reason)}`);
      return;
    default:
      part satisfies never;
  }
}

async function writeDiff(change: DiffPreview, diffs: LineDiffs, writer: QuestionWriter): Promise<void> {
  writer.line(change.path);
  if (change.note !== undefined) writer.line(change.note);
  for (const { kind, text } of await diffs.of(change)) writer.line(SIGNS[kind] + text, COLORS[kind]);
}

/** Each run of words on its own lines, with a first character that no server can write. */
async function writeDefinition(
  { name, before, now, findings }: Extract<QuestionPart, { kind: 'definition' }>,
  writer: QuestionWriter,
): Promise<void> {
  if (name !== '') writer.line(name);
  for (const { kind, excerpt } of findings)
    writer.consequence(excerpt === '' ? FINDING_TEXTS[kind] : `${FINDING_TEXTS[kind]}: ${excerpt}`, true);
  for (const { kind, text } of await wordDiff(before, now))
    for (const line of text.split('\n')) writer.line(SIGNS[kind] + line, COLORS[kind]);
}

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { added: '+', removed: '-', same: ' ', hunk: '' };
const COLORS: Readonly<Partial<Record<DiffLine['kind'], string>>> = { added: GREEN, removed: RED };

/**
 * Collects the lines of a question. Text that is not Steward's is put after the gutter, with hidden characters shown,
 * and its lines are wrapped before the terminal would wrap them.
 */
class QuestionWriter {
  readonly #lines: string[] = [''];
  readonly #options: ConsentTextOptions;

  constructor(options: ConsentTextOptions) {
    this.#options = options;
  }

  title(text: string): void {
    this.#push('', visible(text), BOLD);
  }

  consequence(text: string, isGrave: boolean): void {
    this.#push(isGrave ? '! ' : '  ', visible(text), isGrave ? RED : undefined);
  }

  heading(text: string): void {
    this.#lines.push(`${text}:`);
  }

  named({ name, text }: NamedText): void {
    this.#push('  ', `${visible(name)}:`);
    this.untrusted(text);
  }

  numbered(number: number, text: string): void {
    this.#push(`  ${number}  `, visible(text));
  }

  /** Each line of it. */
  untrusted(text: string): void {
    for (const line of text.split('\n')) this.line(line);
  }

  /** A single line, even if the text contains line ends. */
  line(text: string, color?: string): void {
    this.#push(GUTTER, visible(text), color);
  }

  text(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  #push(prefix: string, text: string, color?: string): void {
    for (const [index, part] of brokenAt(this.#textColumns(), text).entries()) {
      this.#lines.push((index === 0 ? prefix : CONTINUED) + this.#painted(part, color));
    }
  }

  #textColumns(): number {
    const { columns } = this.#options;
    if (columns === undefined || columns <= 0) return Number.POSITIVE_INFINITY;
    return Math.max(MIN_TEXT_COLUMNS, columns - GUTTER.length - 1);
  }

  #painted(text: string, color: string | undefined): string {
    return this.#options.color && color !== undefined ? `\u001b[${color}m${text}\u001b[0m` : text;
  }
}

/** Counts everything but ASCII as two columns, so that a line wraps too early rather than too late. */
function brokenAt(columns: number, text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let width = 0;
  for (let at = 0; at < text.length; ) {
    const codePoint = text.codePointAt(at) ?? 0;
    const codePointWidth = codePoint <= LAST_NARROW ? 1 : 2;
    if (width + codePointWidth > columns) {
      parts.push(text.slice(start, at));
      start = at;
      width = 0;
    }
    width += codePointWidth;
    at += codePoint > 0xffff ? 2 : 1;
  }
  return [...parts, text.slice(start)];
}

/** This is `~`. */
const LAST_NARROW = 0x7e;
