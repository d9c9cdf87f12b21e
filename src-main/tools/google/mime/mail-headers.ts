import { getHeader, type MailHeaders, type MailPart } from './mail-part.ts';
import { withoutUnseen } from './unseen-text.ts';

/**
 * A header as people read it: words decoded (RFC 2047), in one line, so that it can't pass for another header. Never rejects. Empty: there
 * is none.
 */
export async function readHeader(headers: MailHeaders, name: string): Promise<string> {
  return decodedText(getHeader(headers, name));
}

async function decodedText(raw: string): Promise<string> {
  const text = raw.includes('=?') ? await decodedWords(raw) : raw;
  return oneLine(text);
}

/** In one line, without what can't be seen. */
export function oneLine(text: string): string {
  return withoutUnseen(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

async function decodedWords(raw: string): Promise<string> {
  const { default: libmime } = await import('libmime');
  try {
    return libmime.decodeWords(raw);
  } catch {
    // A charset or sequence that can't be decoded.
    return raw;
  }
}

/**
 * The names of the attachments, also of forwarded messages, in the order of the message. Gmail decodes most; otherwise they are taken from
 * the headers (RFC 2231, RFC 2047).
 */
export async function attachmentNames(part: MailPart, depth = 0): Promise<readonly string[]> {
  if (depth > DEEPEST) return [];
  const name = await attachmentName(part);
  const names = name === '' ? [] : [name];
  for (const child of part.parts ?? []) names.push(...(await attachmentNames(child, depth + 1)));
  return names;
}

/** Real messages stay far below. */
export const DEEPEST = 50;

async function attachmentName({ filename, headers }: MailPart): Promise<string> {
  const given = await decodedText(filename ?? '');
  if (given !== '') return given;
  const { default: libmime } = await import('libmime');
  for (const [header, parameter] of [
    ['Content-Disposition', 'filename'],
    ['Content-Type', 'name'],
  ] as const) {
    const value = getHeader(headers, header);
    if (!value.includes('=')) continue;
    try {
      const name = libmime.parseHeaderValue(value).params[parameter];
      if (typeof name === 'string' && name !== '') return await decodedText(name);
    } catch {
      // Not a header that can be parsed.
    }
  }
  return '';
}
