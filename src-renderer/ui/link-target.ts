import { decodeHTMLStrict } from 'entities/decode';

/** Schemes that main may pass to the desktop; main checks again. Source: PEERS, incident class 1. */
const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/** The address that a link opens, or `null` where it must not be a link. */
export function linkTarget(href: string): string | null {
  let url: URL;
  try {
    url = new URL(decodeHTMLStrict(href).trim());
  } catch {
    // The target is no absolute URL, and there is nothing to resolve it against.
    return null;
  }
  if (!SCHEMES.has(url.protocol)) return null;
  // A name before the host makes an address look like another one.
  if (url.username !== '' || url.password !== '') return null;
  return url.href;
}

/** The destination of a link for the reader: the host or the mail address. */
export function targetName(target: string): string {
  const url = new URL(target);
  return url.protocol === 'mailto:' ? decodeURIComponentOrAsIs(url.pathname) : url.host;
}

/** The link's text looks like an address, but not the one it opens. */
export function isMisleading(text: string, target: string): boolean {
  const shown = /(?<![\p{L}\p{N}-]|[\p{L}\p{N}-]\.)((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?=[/:?#\s]|$)/u.exec(
    text.trim().toLowerCase(),
  );
  const host = shown?.[1];
  if (host === undefined) return false;
  const bare = (name: string) => name.replace(/^www\./, '');
  const actual = targetName(target).toLowerCase();
  if (target.startsWith('mailto:')) return !actual.endsWith(`@${host}`);
  return bare(new URL(target).hostname) !== bare(hostAsUrlsCarryIt(host));
}

function hostAsUrlsCarryIt(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host;
}

function decodeURIComponentOrAsIs(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign is shown unchanged.
    return text;
  }
}
