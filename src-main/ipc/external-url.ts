import { MailLinkError, mailLink } from '../base/mail-link.ts';
import { IpcError } from './ipc-error.ts';

const ALLOWED = new Set(['http:', 'https:', 'mailto:']);

/**
 * The URL as passed to the system, or an `IpcError`. Only web and mail addresses are opened, because other schemes
 * start programs. Source: PEERS.md section 3, incident class 1. A link to write a mail keeps its recipients, subject
 * and text only.
 */
export function externalUrl(text: string): string {
  const refuse = (why: string) => new IpcError('refused_url', `This link can't be opened: ${why}.`);
  // The parser drops tabs and newlines, so the opened URL would differ from the written one.
  if (/[\s\p{C}]/u.test(text.trim())) throw refuse('it contains spaces or control characters');
  if (!URL.canParse(text.trim())) throw refuse('it is not a complete address');
  const url = new URL(text.trim());
  if (!ALLOWED.has(url.protocol)) throw refuse(`${url.protocol} is not http, https or mailto`);
  if (url.username !== '' || url.password !== '')
    throw refuse('it contains a user name, which can disguise where it leads');
  return url.protocol === 'mailto:' ? mailHref(url, refuse) : url.href;
}

function mailHref(url: URL, refuse: (why: string) => IpcError): string {
  try {
    return mailLink(url).href;
  } catch (error) {
    throw error instanceof MailLinkError ? refuse(error.message) : error;
  }
}
