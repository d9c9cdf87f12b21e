import { isRecord } from '../../base/json.ts';
import { normalizeHost } from '../../network/private-network.ts';
import type { IsPublicHost } from './mentioned-addresses.ts';

const MAX_DECODINGS = 3;
/** What ends both names of hosts and names of files (`main.rs`, `notes.md`). */
const FILE_ENDS = new Set('md py sh rs pl zip mov so ps cc java app bat st tf mm ms'.split(' '));
/** Names that no registry gives, and that a network may have. Source: RFC 2606, RFC 6761, RFC 6762. */
const UNREGISTERED = /\.(?:example|test|invalid|localhost|local|internal|intranet|lan|home|corp|onion|arpa)$/i;
const LABEL = String.raw`[\p{L}\p{M}\p{N}_-]{1,63}`;
const DOTTED = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{N}_-]|[\p{L}\p{M}\p{N}_-][.。．｡])${LABEL}(?:[.。．｡]${LABEL}){1,30}`,
  'gu',
);
const NUMBERS = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const BRACKETED = /\[[0-9a-f:.]{2,45}\]/gi;
const WITH_SCHEME =
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:[\\/]{2,8}([^\s<>"'`/?#\\@]{1,255}@)?([^\s<>"'`/?#\\]{1,255})/gi;
const LOCALHOST = /(?<![\p{L}\p{N}_.-])localhost(?=[:/?#])/giu;
/** Nobody sees them, and a server may drop them. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Everything in a call's arguments that can name a host, as URLs, wherever in a text it is and whatever its parameter
 * is called. Not mail addresses, versions, and what is as likely the name of a file.
 */
export function hostsInTexts(input: unknown, isPublicHost: IsPublicHost): readonly string[] {
  const found = new Set<string>();
  for (const text of textsIn(input)) for (const host of hostsIn(text, isPublicHost)) found.add(host);
  return [...found].map((host) => `https://${host}/`);
}

/** Iterative, because a model can nest values deeper than the stack. */
function textsIn(input: unknown): ReadonlySet<string> {
  const texts = new Set<string>();
  const pending: unknown[] = [input];
  for (let at = 0; at < pending.length; at++) {
    const value = pending[at];
    if (typeof value === 'string') texts.add(value);
    else if (Array.isArray(value)) for (const each of value) pending.push(each);
    else if (isRecord(value))
      for (const [name, member] of Object.entries(value)) {
        texts.add(name);
        pending.push(member);
      }
  }
  return texts;
}

function hostsIn(text: string, isPublicHost: IsPublicHost): ReadonlySet<string> {
  const found = new Set<string>();
  for (const form of formsOf(text)) {
    const add = (host: string) => {
      const normal = normalizeHost(host);
      if (normal !== null) found.add(normal.includes(':') && !normal.startsWith('[') ? `[${normal}]` : normal);
    };
    for (const [, , host = ''] of form.matchAll(WITH_SCHEME)) add(host.replace(/:\d{0,5}$/, ''));
    for (const [host] of form.matchAll(BRACKETED)) if (host.includes(':')) add(host);
    for (const [host] of form.matchAll(LOCALHOST)) add(host);
    for (const { 0: name, index } of form.matchAll(DOTTED)) if (canBeHost(name, index, form, isPublicHost)) add(name);
  }
  return found;
}

/** As it is written, and as who decodes it would read it. */
function formsOf(text: string): ReadonlySet<string> {
  const seen = text.replace(UNSEEN, '');
  // The URL standard drops tabs and line ends within an address.
  const forms = new Set([seen, seen.replace(/[\t\r\n]/g, '')]);
  let form = seen.replace(/\\[/]/g, '/').replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => characterOf(code));
  forms.add(form);
  for (let decodings = 0; decodings < MAX_DECODINGS; decodings++) {
    form = form.replace(/(?:%[0-9a-f]{2})+/gi, decodedOnce);
    forms.add(form);
  }
  return forms;
}

function canBeHost(written: string, index: number, text: string, isPublicHost: IsPublicHost): boolean {
  const name = written
    .replace(/[。．｡]/g, '.')
    .normalize('NFKC')
    .toLowerCase();
  const [before = '', after = ''] = [text[index - 1], text[index + written.length]];
  const next = text[index + written.length + 1] ?? '';
  // The local part of a mail address, or its domain; `git@host:path` and `user@host/…` are none.
  if (after === '@') return false;
  const isReached = /[:/?#\\]/.test(after) && /\S/.test(next);
  if (before === '@' && !isReached && !text.slice(0, index).endsWith('//@')) return !isMailLike(text, index);
  if (/^[\d.]+$/.test(name))
    return NUMBERS.test(name) && before !== 'v' && name.split('.').every((part) => Number(part) <= 255);
  const end = name.slice(name.lastIndexOf('.') + 1);
  const isBehindSlashes = /[\\/]{2}$/.test(text.slice(Math.max(0, index - 2), index));
  if (isBehindSlashes || before === '@') return true;
  if (FILE_ENDS.has(end)) {
    if (before === '/' || before === '\\') return false;
    // `what-was-read.evil.md` carries something, `notes.md` hardly.
    return (isReached && /[/?]/.test(after)) || (name.split('.').length > 2 && isPublicHost(name));
  }
  return UNREGISTERED.test(name) || isPublicHost(name);
}

function isMailLike(text: string, at: number): boolean {
  return /[\p{L}\p{N}._%+'-]@$/u.test(text.slice(Math.max(0, at - 3), at));
}

function characterOf(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}

function decodedOnce(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
