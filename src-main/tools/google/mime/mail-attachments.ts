import { sizeText } from '../../../../src-preload/contract/size-text.ts';
import type { MailAttachment } from '../../../../src-preload/contract/tool-card.ts';
import { shortened } from '../../../base/text.ts';
import { decodedText, oneLine } from './mail-headers.ts';
import { getHeader, isAttachment, isReadAsText, type MailPart, mediaTypeOf } from './mail-part.ts';

/** The deepest nesting of parts that is read. Real messages stay far below. */
export const MAX_DEPTH = 50;

/**
 * Lists every part that has a file name or is not read as text, also of forwarded messages, in the order of the
 * message. A text that is shown inline under a file name counts too: it may be the file that was asked for.
 */
export async function attachmentsOf(part: MailPart, depth = 0): Promise<readonly MailAttachment[]> {
  if (depth > MAX_DEPTH) return [];
  const type = mediaTypeOf(part);
  const name = await attachmentName(part);
  const children = part.parts ?? [];
  const isLeaf = children.length === 0 && !type.startsWith('multipart/') && type !== '';
  const isFile = name !== '' || isAttachment(part) || (isLeaf && !isReadAsText(part) && type !== 'message/rfc822');
  const found: MailAttachment[] = isFile ? [{ name, type, ...sizeOf(part) }] : [];
  for (const child of children) found.push(...(await attachmentsOf(child, depth + 1)));
  return found;
}

/** The most attachments that are named: more than in any mail that someone wrote. */
const MAX_NAMED = 100;
const MAX_NAME_LENGTH = 255;

/**
 * Lists attachments as `plan.pdf (application/pdf, 12 kB), notes.txt (text/plain)`. The text is empty if there are
 * none.
 */
export function attachmentsText(attachments: readonly MailAttachment[]): string {
  const named = attachments.slice(0, MAX_NAMED).map(attachmentText);
  const left = attachments.length - named.length;
  return [...named, ...(left > 0 ? [`and ${left} more`] : [])].join(', ');
}

function attachmentText({ name, type, size }: MailAttachment): string {
  const facts = [type, ...(size === undefined ? [] : [sizeText(size)])].filter((fact) => fact !== '').join(', ');
  return facts === '' ? shownName(name) : `${shownName(name)} (${facts})`;
}

/** A name with a comma is quoted, so that one attachment can't pass for two. */
function shownName(name: string): string {
  const shown = shortened(name, MAX_NAME_LENGTH);
  if (shown === '') return 'unnamed';
  return shown.includes(',') ? `"${shown.replaceAll('"', "'")}"` : shown;
}

/** The size of the content, without its encoding for mail. */
function sizeOf({ body }: MailPart): Pick<MailAttachment, 'size'> {
  const { size, data } = body ?? {};
  const known = typeof size === 'number' && size > 0 ? size : Buffer.from(data ?? '', 'base64url').length;
  return known > 0 ? { size: known } : {};
}

/** Gmail decodes most names; otherwise they are taken from the headers (RFC 2231, RFC 2047). */
async function attachmentName({ filename, headers }: MailPart): Promise<string> {
  const given = await decodedText(filename ?? '');
  if (given !== '') return given;
  const type = parametersOf(getHeader(headers, 'Content-Type'));
  const disposition = parametersOf(getHeader(headers, 'Content-Disposition'));
  if (type === '' && disposition === '') return '';
  const { default: PostalMime } = await import('postal-mime');
  // The part is given a type that is always a file, whatever it is.
  const head = `Content-Type: application/octet-stream${type}\r\nContent-Disposition: attachment${disposition}`;
  try {
    const { attachments } = await PostalMime.parse(`${head}\r\n\r\n`);
    return oneLine(attachments[0]?.filename ?? '');
  } catch {
    // The headers are too long to be read.
    return '';
  }
}

/** Returns the parameters of a header (`; filename=a.pdf`) in one line, so that they can't bring another header. */
function parametersOf(header: string): string {
  const start = header.indexOf(';');
  return start === -1 || !header.includes('=') ? '' : header.slice(start).replace(/[\r\n]+/g, ' ');
}
