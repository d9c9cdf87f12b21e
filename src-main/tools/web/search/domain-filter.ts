/** The hosts that results may come from. A domain includes its subdomains. Source: tool catalogue B.3. */
export interface DomainFilter {
  readonly isEmpty: boolean;
  admits(url: string): boolean;
}

/** Blocked wins over allowed. Throws an `Error` that names an invalid domain. */
export function domainFilter(allowed: readonly string[], blocked: readonly string[]): DomainFilter {
  const [only, never] = [domainsOf('allowed_domains', allowed), domainsOf('blocked_domains', blocked)];
  return {
    isEmpty: only.length === 0 && never.length === 0,
    admits: (url) => {
      const host = hostOf(url);
      if (host === undefined) return false;
      const isIn = (domain: string) => host === domain || host.endsWith(`.${domain}`);
      return !never.some(isIn) && (only.length === 0 || only.some(isIn));
    },
  };
}

/** Accepts `example.org`, and other spellings that people use: `*.example.org`, `https://example.org/page`. */
function domainsOf(parameter: string, entries: readonly string[]): string[] {
  return entries.flatMap((entry) => {
    const written = entry.trim().replace(/^\*?\./, '');
    if (written === '') return [];
    const host = hostOf(/^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `http://${written}`);
    if (host === undefined)
      throw new Error(`${parameter} must contain domains like example.org; got ${JSON.stringify(entry)}`);
    return [host];
  });
}

/** The host as the URL parser normalises it (lower case, punycode), without the root's dot. */
function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const host = new URL(url).hostname.replace(/\.$/, '');
  return host === '' ? undefined : host;
}
