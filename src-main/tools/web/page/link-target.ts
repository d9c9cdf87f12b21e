/**
 * The target of a link. Undefined if it is none that can be shown (`#…`, `javascript:`). Absolute addresses stay as
 * written, without the line breaks that browsers remove (https://url.spec.whatwg.org/#url-parsing).
 */
export function linkTarget(written: string | undefined, baseUrl: string | undefined): string | undefined {
  const href = (written ?? '').replace(/[\t\n\r]+/g, '').trim();
  if (href === '' || href.startsWith('#') || /^[\p{Cc}\s]*javascript:/iu.test(href)) return undefined;
  if (baseUrl === undefined || URL.canParse(href) || !URL.canParse(href, baseUrl)) return href;
  return new URL(href, baseUrl).href;
}

/** Base of a page's relative links: its `<base>`, unless that is not an address of the web. */
export function linkBase(written: string | undefined, pageUrl: string): string {
  const target = linkTarget(written, pageUrl);
  return target !== undefined && /^https?:/i.test(target) && URL.canParse(target) ? target : pageUrl;
}
