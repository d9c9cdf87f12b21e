/** What sites add to links to see where a reader came from. */
const TRACKING = /^(?:utm_[^=]*|gclid|fbclid)(?:=|$)/;

/**
 * What links are compared by: what a request to them says on the wire, which has no fragment. `undefined`: no http or https
 * URL, or one with a user name in it.
 */
export function linkKey(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, username, password, origin, pathname, search } = new URL(url);
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return undefined;
  return `${origin}${pathname}${search}`;
}

/**
 * The keys under which a link may be asked for: its own, that over https, and both without tracking parameters. All of these
 * go or none: if each could be left out, which are there would spell out one bit each.
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
