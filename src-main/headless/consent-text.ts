import { decisionReasonText } from '../../src-preload/contract/decision-reason.ts';
import { visible } from '../base/visible-text.ts';
import type { Preview } from '../policy/access.ts';
import { describeAccess } from '../policy/access-text.ts';
import type { ConsentRequest, GrantConsentRequest, ToolConsentRequest, UndoConsentRequest } from '../policy/consent.ts';
import { type ChangedLine, LineDiffs } from '../policy/line-diff.ts';

export interface ConsentTextOptions {
  readonly color: boolean;
  /** Of the terminal; `undefined`: not known, then lines are not broken. */
  readonly columns: number | undefined;
}

/** Foreign text stands behind this, on every line, so that it can never look like one of ours. */
const GUTTER = '  │ ';
const CONTINUED = '  ┊ ';
const MIN_TEXT_COLUMNS = 20;
const RED = '31';
const GREEN = '32';
const BOLD = '1';

/** The whole question, without the line that asks for the answer. */
export async function consentText(request: ConsentRequest, options: ConsentTextOptions): Promise<string> {
  const writer = new QuestionWriter(options);
  if (request.kind === 'tool') await writeToolQuestion(request, writer);
  else if (request.kind === 'undo') await writeUndoQuestion(request, writer);
  else writeGrantQuestion(request, writer);
  return writer.text();
}

async function writeToolQuestion(request: ToolConsentRequest, writer: QuestionWriter): Promise<void> {
  writer.title('Steward asks: may this run?');
  writer.foreign(request.tool);
  writer.heading('Why you are asked:');
  writer.foreign(decisionReasonText(request.reason));
  if (request.marks.length > 0) {
    writer.heading('In this conversation was read:');
    for (const text of new Set(request.marks.map(({ kind, source }) => `${source} (${MARK_NOTES[kind]})`)))
      writer.foreign(text);
  }
  writer.heading('Arguments:');
  for (const [name, value] of Object.entries(request.input)) writer.named(name, value);
  if (Object.keys(request.input).length === 0) writer.foreign('none');
  if (request.access.length > 0) writer.heading('What it would touch:');
  for (const access of request.access) writer.foreign(describeAccess(access));
  // The access says the command line and its folder already.
  const isSaid = request.access.some((access) => access.class === 'execute');
  const diffs = new LineDiffs();
  for (const preview of request.previews)
    if (preview.kind !== 'command' || !isSaid) await writePreview(preview, diffs, writer);
  if (request.offers.length > 0) writer.heading('Rules you could keep:');
  for (const [index, offer] of request.offers.entries()) writer.numbered(index + 1, offer.label);
}

const MARK_NOTES = { untrusted: 'from outside', private: 'private' } as const;

function writeGrantQuestion(request: GrantConsentRequest, writer: QuestionWriter): void {
  writer.title('Steward asks: may this take effect?');
  writer.foreign(request.reason);
  writer.heading('It would be:');
  writer.named(request.key, request.value);
  if (request.previous === undefined) return;
  writer.heading('Now it is:');
  writer.named(request.key, request.previous);
}

async function writeUndoQuestion(request: UndoConsentRequest, writer: QuestionWriter): Promise<void> {
  writer.title(`Steward asks: undo this ${request.subject === 'turn' ? 'turn' : 'change'}?`);
  writer.foreign(request.reason);
  const diffs = new LineDiffs();
  for (const preview of request.previews) await writePreview(preview, diffs, writer);
  if (request.refused.length > 0) writer.heading('What stays as it is:');
  for (const { path, reason } of request.refused) writer.foreign(`${path}: ${reason}`);
}

async function writePreview(preview: Preview, diffs: LineDiffs, writer: QuestionWriter): Promise<void> {
  switch (preview.kind) {
    case 'diff':
      writer.heading('Change of the file:');
      writer.foreign(preview.path);
      if (preview.note !== undefined) writer.foreign(preview.note);
      for (const { kind, text } of await diffs.of(preview)) writer.foreign(SIGNS[kind] + text, COLORS[kind]);
      return;
    case 'command':
      writer.heading('Exact command:');
      writer.foreign(preview.line);
      writer.heading('In the folder:');
      writer.foreign(preview.directory);
      return;
    case 'text':
      writer.named(preview.title, preview.text);
  }
}

const SIGNS: Readonly<Record<ChangedLine['kind'], string>> = { added: '+', removed: '-', same: ' ', hunk: '' };
const COLORS: Readonly<Partial<Record<ChangedLine['kind'], string>>> = { added: GREEN, removed: RED };

/** Collects lines; whatever is not ours goes behind the gutter, made visible and broken before the terminal would do it. */
class QuestionWriter {
  readonly #lines: string[] = [''];
  readonly #options: ConsentTextOptions;

  constructor(options: ConsentTextOptions) {
    this.#options = options;
  }

  title(text: string): void {
    this.#lines.push(this.#painted(text, BOLD));
  }

  heading(text: string): void {
    this.#lines.push(text);
  }

  named(name: string, value: unknown): void {
    this.#push('  ', `${visible(name)}:`);
    this.foreign(typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? 'undefined'));
  }

  numbered(number: number, text: string): void {
    this.#push(`  ${number}  `, visible(text));
  }

  foreign(text: string, color?: string): void {
    for (const line of text.split('\n')) this.#push(GUTTER, visible(line), color);
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

/** What is not ASCII may be two columns wide; counting it so breaks a line too early, never too late. */
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

/** `~` */
const LAST_NARROW = 0x7e;
