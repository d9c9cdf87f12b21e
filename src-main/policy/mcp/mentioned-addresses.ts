import { isIPv4, isIPv6 } from 'node:net';
import { words } from '../../base/text.ts';

/** Whether a name ends like one that can be registered (`example.dev`, not `package.json`). */
export type IsPublicHost = (host: string) => boolean;

/** Returns a test that uses the public suffix list, which the first review loads. */
export async function loadIsPublicHost(): Promise<IsPublicHost> {
  const { parse } = await import('tldts');
  return (host) => {
    const { isIcann, domain } = parse(host);
    return isIcann === true && domain !== null;
  };
}

/** Matches names that nobody can own. Source: RFC 2606, RFC 6761. */
const RESERVED = /(?:^|\.)(?:example\.(?:com|org|net|edu)|example|test|invalid|localhost)$/;
const THIS_MACHINE = new Set(['127.0.0.1', '0.0.0.0', '::1', '::']);
/** These end names of hosts, but also names of files (`main.rs`), or of members (`user.name`). */
export const FILE_ENDS = words('md py sh rs pl zip mov so ps cc java app bat st tf mm ms');
const MEMBER_ENDS = words(
  'id name info click link host page date style data email events map open play run search select services store text tools top video watch work zone box call cat day new is it in to at no so do be as am my me us by',
);
/** A name that follows one of these is an address after all. */
const PROGRAMS = words('curl wget fetch ping ssh nc visit host server domain site website via');
const TOWARDS = words('to at via from');

const SEPARATORS = /[\s<>()[\]{}"'`,;|*]+/;
const CLOSING = /(?<![.:!?])[.:!?]+$/;
const SCHEME = /^(?:h(?:tt|xx)ps?|wss?|s?ftps?):\/\/./;
const OTHER_SCHEME = /^[a-z][a-z0-9+.-]{1,20}:\/\/([^/?#]{1,255})/;
const MAX_WORD_LENGTH = 2_048;

/**
 * The first address, host, mail address or IP address in a folded text. Those of documentation and of this machine
 * don't count.
 */
export function addressIn(text: string, isPublicHost: IsPublicHost): string | undefined {
  const plain = text
    .replaceAll('[.]', '.')
    .replaceAll('(.)', '.')
    .replaceAll('。', '.')
    .replaceAll('[at]', '@')
    .replace(/ ?(?:\[dot\]|\(dot\)| dot ) ?/g, '.');
  let before = '';
  for (const separated of plain.split(SEPARATORS)) {
    const word = separated
      .slice(0, MAX_WORD_LENGTH)
      .replace(/^[.:=/-]+/, '')
      .replace(CLOSING, '');
    if (isAddress(word, before, isPublicHost)) return word;
    before = word;
  }
  return undefined;
}

function isAddress(word: string, before: string, isPublicHost: IsPublicHost): boolean {
  if (SCHEME.test(word)) return !isHarmless(hostOfUrl(word));
  const other = OTHER_SCHEME.exec(word)?.[1];
  if (other !== undefined) return isRemote(other.replace(/:\d*$/, ''), isPublicHost);
  if (isIPv6(word)) return !isHarmless(word);
  // The address may follow an `=` or an `@`: `key=evil.dev`, `user@evil.dev`.
  const rest = word.slice(word.lastIndexOf('=') + 1);
  const at = rest.lastIndexOf('@');
  const place = rest.slice(at + 1);
  const host = /^[^/?#:]{1,255}/.exec(place)?.[0] ?? '';
  if (!isRemote(host, isPublicHost)) return false;
  const hasMore = at > 0 || place.length > host.length || host.startsWith('www.');
  return hasMore || isIPv4(host) || isMeantAsHost(host, before);
}

function isMeantAsHost(host: string, before: string): boolean {
  const labels = host.split('.');
  const end = labels.at(-1) ?? '';
  if (FILE_ENDS.has(end)) return PROGRAMS.has(before);
  if (MEMBER_ENDS.has(end)) return PROGRAMS.has(before) || TOWARDS.has(before);
  return true;
}

function isRemote(host: string, isPublicHost: IsPublicHost): boolean {
  if (!host.includes('.') || isHarmless(host)) return false;
  if (isIPv4(host)) return true;
  return /^[\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){1,10}$/u.test(host) && isPublicHost(host);
}

function isHarmless(host: string): boolean {
  return host === '' || THIS_MACHINE.has(host) || RESERVED.test(host);
}

function hostOfUrl(word: string): string {
  const url = word.replace(/^hxxp/, 'http');
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : word;
}
