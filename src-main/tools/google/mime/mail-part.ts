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

/** Meant to be saved, not read. */
export function isAttachment({ filename, headers }: MailPart): boolean {
  if ((filename ?? '') !== '') return true;
  return /^\s*attachment\b/i.test(getHeader(headers, 'Content-Disposition'));
}
