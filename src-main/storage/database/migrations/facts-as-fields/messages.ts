import { isRecord } from '../../../../base/json.ts';
import { backticksAround } from '../../../../base/text.ts';

type Row = Readonly<Record<string, unknown>>;
type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string };

/** Takes attachments out of the text if they were the first blocks. `attached` is their number. */
export function withAttachments(row: Row): Row {
  const { content, attached, ...rest } = row;
  if (!isBlocks(content) || (attached !== undefined && typeof attached !== 'number')) return row;
  if (isSeparate(row, content)) return row;
  const count = attached ?? countAttached(content);
  const marks: readonly unknown[] = Array.isArray(row.marks) ? row.marks : [];
  const attachments = content.flatMap((block, index) =>
    index >= count && block.type === 'text' ? [] : [attachment(block, nameIn(marks[index]))],
  );
  const written = content.slice(count).filter(({ type }) => type === 'text');
  return { ...rest, content: written, ...(attachments.length === 0 ? {} : { attachments }) };
}

const TOOL_LINE = /^\/[a-z]\w*(?:\s*\{|\s*$)/i;

/** Messages that call tools are marked now; in all earlier versions they begin like this and have no attachments. */
export function withCalls(row: Row): Row {
  const { content, callsTools, isCommand, attachments } = row;
  if (callsTools === true || isCommand === true || attachments !== undefined || !isBlocks(content)) return row;
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  return TOOL_LINE.test(text) ? { ...row, callsTools: true } : row;
}

function isBlocks(value: unknown): value is readonly Block[] {
  return Array.isArray(value) && value.every(isBlock);
}

function isBlock(value: unknown): value is Block {
  if (!isRecord(value)) return false;
  if (value.type === 'text') return typeof value.text === 'string';
  return value.type === 'image' && typeof value.mediaType === 'string' && typeof value.data === 'string';
}

function isSeparate(row: Row, content: readonly Block[]): boolean {
  if ('attached' in row || content.some(({ type }) => type !== 'text')) return false;
  return 'attachments' in row || countAttached(content) === 0;
}

/** The first versions did not count them; at most the last block was written by the user. */
function countAttached(content: readonly Block[]): number {
  const firstWritten = content.findIndex(
    (block, index) => block.type === 'text' && (index === content.length - 1 || !ATTACHED_TEXT.test(block.text)),
  );
  return firstWritten === -1 ? content.length : firstWritten;
}

/** An image had its name only in the mark. */
function nameIn(mark: unknown): string | undefined {
  const source = isRecord(mark) && typeof mark.source === 'string' ? mark.source : '';
  return /^attached file ([\s\S]*)$/.exec(source)?.[1];
}

const ATTACHED_TEXT = /^Attached file: ([^\n]*)\n(`{3,})\n([\s\S]*)\2$/;

function attachment(block: Block, nameInMark: string | undefined): Row {
  if (block.type === 'image') {
    const { mediaType, data } = block;
    return { kind: 'image', ...(nameInMark === undefined ? {} : { name: nameInMark }), mediaType, data };
  }
  const [, name = nameInMark ?? '', , fenced = block.text] = ATTACHED_TEXT.exec(block.text) ?? [];
  // It was not recorded whether the line end before the fence belongs to the file; the model is given the same either
  // way.
  const text = fenced.replace(/\n$/, '');
  const isSame = attachedText(name, text) === block.text;
  return { kind: 'text', name, text: isSame ? text : fenced };
}

/** As an attached text was given to the model then. */
function attachedText(name: string, text: string): string {
  const fence = backticksAround(text, 3);
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return `Attached file: ${name.replace(/[\p{C}`]/gu, ' ').trim()}\n${fence}\n${text}${end}${fence}`;
}
