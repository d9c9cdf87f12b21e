import type { gmail_v1 } from '@googleapis/gmail';

/** A part of a message as Gmail's API gives it. Everything in it may be missing, and its text is untrusted. */
export type MailPart = Pick<gmail_v1.Schema$MessagePart, 'mimeType' | 'filename' | 'headers' | 'body' | 'parts'>;

export type MailHeaders = MailPart['headers'];

/** The first header of this name, whatever its case; empty: there is none. Source: tool catalogue F.1. */
export function getHeader(headers: MailHeaders, name: string): string {
  const wanted = name.toLowerCase();
  return headers?.find((header) => header.name?.toLowerCase() === wanted)?.value ?? '';
}

/** Without parameters, in lower case: `text/html`. */
export function mediaTypeOf({ mimeType, headers }: MailPart): string {
  const stated = mimeType ?? '';
  const type = stated === '' ? getHeader(headers, 'Content-Type') : stated;
  return type.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Meant to be saved, not read. A text that says it is shown inline is text, also with a file name. */
export function isAttachment(part: MailPart): boolean {
  const disposition = getHeader(part.headers, 'Content-Disposition').trim();
  if (/^attachment\b/i.test(disposition)) return true;
  if ((part.filename ?? '') === '') return false;
  if (!mediaTypeOf(part).startsWith('text/')) return true;
  // Without a disposition, a part with its own headers is shown inline:
  // https://www.rfc-editor.org/rfc/rfc2183#section-2
  const isInline = disposition === '' ? getHeader(part.headers, 'Content-Type') !== '' : /^inline\b/i.test(disposition);
  return !isInline;
}

/**
 * A part whose text is shown: plain text and HTML, and another inline text with a file name (a patch, a table). RTF is
 * markup that no one reads.
 */
export function isReadAsText(part: MailPart): boolean {
  if (isAttachment(part)) return false;
  const type = mediaTypeOf(part);
  if (type === 'text/plain' || type === 'text/html') return true;
  return (part.filename ?? '') !== '' && type.startsWith('text/') && !/\brtf$|\brichtext$/.test(type);
}
