import type { gmail_v1 } from '@googleapis/gmail';

/** A part of a message as Gmail's API gives it. Everything in it may be missing, and its text is untrusted. */
export type MailPart = Pick<gmail_v1.Schema$MessagePart, 'mimeType' | 'filename' | 'headers' | 'body' | 'parts'>;

export type MailHeaders = MailPart['headers'];

/**
 * Returns the first header of this name, whatever its case. It is empty if there is none. Source: tool catalogue F.1.
 */
export function getHeader(headers: MailHeaders, name: string): string {
  const wanted = name.toLowerCase();
  return headers?.find((header) => header.name?.toLowerCase() === wanted)?.value ?? '';
}

/** Returns the media type without parameters, in lower case: `text/html`. */
export function mediaTypeOf({ mimeType, headers }: MailPart): string {
  const stated = mimeType ?? '';
  const type = stated === '' ? getHeader(headers, 'Content-Type') : stated;
  return type.split(';')[0]?.trim().toLowerCase() ?? '';
}

/**
 * Whether the part is meant to be saved, not read. A text that says it is shown inline is text, also with a file name.
 */
export function isAttachment(part: MailPart): boolean {
  const disposition = getHeader(part.headers, 'Content-Disposition').trim();
  if (/^attachment\b/i.test(disposition)) return true;
  if ((part.filename ?? '') === '') return false;
  if (!mediaTypeOf(part).startsWith('text/')) return true;
  // A part that has its own headers but no disposition is shown inline. Source:
  // https://www.rfc-editor.org/rfc/rfc2183#section-2
  const isInline = disposition === '' ? getHeader(part.headers, 'Content-Type') !== '' : /^inline\b/i.test(disposition);
  return !isInline;
}

/**
 * Whether the part's text is shown. This holds for plain text and HTML, and for another inline text with a file name (a
 * patch, a table). RTF is markup that no one reads.
 */
export function isReadAsText(part: MailPart): boolean {
  if (isAttachment(part)) return false;
  const type = mediaTypeOf(part);
  if (type === 'text/plain' || type === 'text/html') return true;
  return (part.filename ?? '') !== '' && type.startsWith('text/') && !/\brtf$|\brichtext$/.test(type);
}
