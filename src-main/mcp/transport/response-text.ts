import { STATUS_CODES } from 'node:http';
import { isRecord } from '../../base/json.ts';
import { shortened } from '../../base/text.ts';

const LONGEST = 300;
/** Where services put a sentence in a JSON answer, the most telling first. */
const MESSAGE_KEYS = [
  'message',
  'error_description',
  'detail',
  'details',
  'description',
  'title',
  'reason',
  'error',
  'errors',
];
/** Where an HTML page says what it is about. */
const TITLE_ELEMENTS = ['title', 'h1', 'h2', 'p', 'body'];

/** What the body of a failed HTTP response says, without its status: a sentence of a JSON answer, the title of a page, or the text itself. */
export async function responseText(body: string, status: number): Promise<string> {
  const text = body.trim();
  const said = messageIn(text) ?? (text.startsWith('<') ? await titleOf(text) : text);
  return withoutStatus(shortened(said.replace(/\s+/g, ' ').trim(), LONGEST), status);
}

function messageIn(text: string): string | undefined {
  if (!/^[{["]/.test(text)) return undefined;
  try {
    return messageOf(JSON.parse(text));
  } catch {
    // Only its beginning may have been read.
    return undefined;
  }
}

function messageOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return messageOf(value[0]);
  if (!isRecord(value)) return undefined;
  for (const key of MESSAGE_KEYS) {
    const message = messageOf(value[key]);
    if (message !== undefined && message.trim() !== '') return message;
  }
  return undefined;
}

async function titleOf(markup: string): Promise<string> {
  const { parseDocument, DomUtils } = await import('htmlparser2');
  const page = parseDocument(markup);
  for (const element of TITLE_ELEMENTS) {
    const [found] = DomUtils.getElementsByTagName(element, page, true, 1);
    const text = found === undefined ? '' : DomUtils.innerText(found).trim();
    if (text !== '') return text;
  }
  return DomUtils.innerText(page.children);
}

/** `502 Bad Gateway` as a text says nothing besides the status. */
function withoutStatus(text: string, status: number): string {
  const name = STATUS_CODES[status] ?? '';
  const rest = text.replace(new RegExp(`^(?:HTTP )?(?:Error )?${status}\\b[\\s:.–-]*`, 'i'), '');
  return rest.toLowerCase() === name.toLowerCase() ? '' : rest;
}
