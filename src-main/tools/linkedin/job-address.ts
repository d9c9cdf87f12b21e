import { joinBaseUrl, vendorBaseUrls } from '../../settings/endpoints.ts';

/**
 * The address to request for a job page: on linkedin.com or a subdomain, or on the address that replaces LinkedIn's in
 * the settings. Undefined if the URL is not a LinkedIn page. Source: tool catalogue B.4, design section 7
 * (`endpoints.linkedin`).
 */
export function jobAddress(url: string, linkedin: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const page = new URL(url);
  // A user name can make a host look like another: https://linkedin.com@evil.example.
  if (!/^https?:$/.test(page.protocol) || page.username !== '' || page.password !== '') return undefined;
  const isElsewhere = linkedin !== vendorBaseUrls.linkedin;
  if (isElsewhere && `${page.origin}${page.pathname}/`.startsWith(`${linkedin}/`)) return withoutFragment(page);
  const isLinkedin = /^(?:.+\.)?linkedin\.com$/.test(page.hostname) && page.port === '';
  if (!isLinkedin) return undefined;
  if (isElsewhere) return joinBaseUrl(linkedin, `${page.pathname}${page.search}`);
  page.protocol = 'https:';
  return withoutFragment(page);
}

function withoutFragment(page: URL): string {
  return `${page.origin}${page.pathname}${page.search}`;
}
