import { STATUS_CODES } from 'node:http';
import { isRecord } from '../../base/json.ts';
import { shortened } from '../../base/text.ts';

const MAX_LENGTH = 300;
/** How deep in a JSON answer a sentence is looked for. */
const MAX_DEPTH = 5;
/** The keys under which services put a sentence in a JSON answer, the most telling first. */
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
/** The elements in which an HTML page says what it is about. */
const TITLE_ELEMENTS = ['title', 'h1', 'h2', 'p', 'body'];

/**
 * What the body of a failed HTTP response says, without its status: a sentence of a JSON answer, the title of a page,
 * or the text itself.
 */
export async function responseText(body: string, status: number): Promise<string> {
  const text = body.trim();
  const said = messageIn(text) ?? (text.startsWith('<') ? await titleOf(text) : text);
  return withoutStatus(shortened(said.replace(/\s+/g, ' ').trim(), MAX_LENGTH), status);
}

function messageIn(text: string): string | undefined {
  if (!/^[{["]/.test(text)) return undefined;
  try {
    return messageOf(JSON.parse(text));
  } catch {
    // Only the beginning of the text may have been read.
    return undefined;
  }
}

function messageOf(value: unknown, level = 0): string | undefined {
  if (typeof value === 'string') return value;
  if (level > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return messageOf(value[0], level + 1);
  if (!isRecord(value)) return undefined;
  for (const key of MESSAGE_KEYS) {
    const message = messageOf(value[key], level + 1);
    if (message !== undefined && message.trim() !== '') return message;
  }
  return undefined;
}

/** Read as a stream: in a tree, elements that are nested thousands of times would overflow the stack. */
async function titleOf(markup: string): Promise<string> {
  const { Parser } = await import('htmlparser2');
  const levels = new Map<string, number>();
  const texts = new Map<string, string>();
  let whole = '';
  const isOpen = (name: string) => (levels.get(name) ?? 0) > 0;
  const parser = new Parser({
    onopentagname: (name) => void levels.set(name, (levels.get(name) ?? 0) + 1),
    onclosetag: (name) => void levels.set(name, (levels.get(name) ?? 0) - 1),
    ontext: (text) => {
      if (isOpen('script') || isOpen('style')) return;
      whole += text;
      for (const name of TITLE_ELEMENTS) if (isOpen(name)) texts.set(name, (texts.get(name) ?? '') + text);
    },
  });
  parser.end(markup);
  const found = TITLE_ELEMENTS.map((name) => texts.get(name) ?? '').find((text) => text.trim() !== '');
  return found ?? whole;
}

/** `502 Bad Gateway` as a text says nothing besides the status. */
function withoutStatus(text: string, status: number): string {
  const name = STATUS_CODES[status] ?? '';
  const rest = text.replace(new RegExp(`^(?:HTTP )?(?:Error )?${status}\\b[\\s:.–-]*`, 'i'), '');
  return rest.toLowerCase() === name.toLowerCase() ? '' : rest;
}
