import { normalizeHost } from './private-network.ts';

/** Parameters that sites add to links to track where a reader came from. */
const TRACKING = /^(?:utm_[^=]*|gclid|fbclid)(?:=|$)/;

/**
 * The form in which links are compared: what a request for them sends, without the fragment. Undefined if it is not an
 * http or https URL, or one with a user name.
 */
export function linkKey(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, username, password, origin, pathname, search } = new URL(url);
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return undefined;
  return `${origin}${pathname}${search}`;
}

/**
 * The keys under which a link may be requested: its own, the https one, and both without tracking parameters. Tracking
 * parameters are removed all together or not at all: if each could be left out, each choice would leak one bit.
 */
export function keysOfLink(url: string): readonly string[] {
  const own = linkKey(url);
  if (own === undefined) return [];
  const [path = '', query] = own.split(/\?(.*)/s);
  const kept = query?.split('&').filter((parameter) => !TRACKING.test(parameter)) ?? [];
  const forms = [own, kept.length === 0 ? path : `${path}?${kept.join('&')}`];
  const safe = forms.flatMap((form) => (/^http:\/\/[^/]*:\d+\//.test(form) ? [] : [form.replace(/^http:/, 'https:')]));
  return [...new Set([...forms, ...safe])];
}

/**
 * The form in which hosts that a user names or allows are compared: as in a URL, without a leading `www.`, which is the
 * same site, and without port and scheme. Empty if it is not a host.
 */
export function hostKey(host: string): string {
  const normal = normalizeHost(host) ?? '';
  const bare = normal.replace(/^www\./, '');
  return bare.includes('.') ? bare : normal;
}

/**
 * The part of a host that is registered: `b.co.uk` for `a.b.co.uk`, `b.github.io` for `a.b.github.io`. An IP address or
 * a name that can't be registered is returned unchanged.
 */
export type RegistrableDomain = (host: string) => string;

/**
 * Uses the public suffix list, loaded by the first call that needs it, including its private part (`github.io`): names
 * below it belong to as many different people as registered ones. Someone who owns a hundred of either is still held by
 * the overall limit on links.
 */
export async function loadRegistrableDomain(): Promise<RegistrableDomain> {
  const { getDomain } = await import('tldts');
  return (host) => getDomain(host, { allowPrivateDomains: true }) ?? host;
}
