/** What sites add to links to see where a reader came from. */
const TRACKING = /^(?:utm_[^=]*|gclid|fbclid)(?:=|$)/;

/**
 * The form in which links are compared: what a request to them sends, so without the fragment. `undefined`: not an http or https
 * URL, or one with a user name.
 */
export function linkKey(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, username, password, origin, pathname, search } = new URL(url);
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return undefined;
  return `${origin}${pathname}${search}`;
}

/**
 * The keys under which a link may be requested: its own, the https one, and both without tracking parameters. Tracking parameters
 * are removed all together or not at all: if each could be left out, each choice would leak one bit.
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
