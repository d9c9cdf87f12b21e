import { getHeader, type MailHeaders } from './mail-part.ts';
import { withoutUnseen } from './unseen-text.ts';

/**
 * Returns a header as people read it: with its words decoded (RFC 2047), and in one line, so that it can't pass for
 * another header. It is empty if there is none. Never rejects.
 */
export async function readHeader(headers: MailHeaders, name: string): Promise<string> {
  return decodedText(getHeader(headers, name));
}

/** Returns all headers of this name as one list of addresses. It is empty if there is none. */
export async function readAddresses(headers: MailHeaders, name: string): Promise<string> {
  const wanted = name.toLowerCase();
  const values = (headers ?? []).filter((header) => header.name?.toLowerCase() === wanted);
  const texts = await Promise.all(values.map(({ value }) => decodedText(value ?? '')));
  return texts.filter((text) => text !== '').join(', ');
}

/** Whether each address of `one` is also in `other`. Names don't count: whoever wrote the header chose them. */
export async function isAmongAddresses(one: string, other: string): Promise<boolean> {
  const known = new Set(await addressesIn(other));
  return (await addressesIn(one)).every((address) => known.has(address));
}

/** Returns the bare addresses of a list in lower case, without names, including those of groups. */
export async function addressesIn(list: string): Promise<string[]> {
  const { default: parse } = await import('nodemailer/lib/addressparser');
  return parse(list, { flatten: true }).map(({ address }) => address.toLowerCase());
}

/** Returns the text in one line, with its words decoded (RFC 2047). */
export async function decodedText(raw: string): Promise<string> {
  if (!raw.includes('=?')) return oneLine(raw);
  const { decodeWords } = await import('postal-mime');
  return oneLine(decodeWords(raw));
}

/** Returns the text in one line, without what can't be seen. */
export function oneLine(text: string): string {
  return withoutUnseen(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}
