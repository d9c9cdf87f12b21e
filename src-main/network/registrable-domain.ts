/** `a.b.co.uk` → `b.co.uk`. An address, and a name that nobody can register, stands for itself. */
export type RegistrableDomain = (host: string) => string;

/**
 * By the public suffix list, which is loaded by the first call that needs it. What hands out subdomains (`github.io`) counts as one
 * domain: whoever has one of them can have a hundred.
 */
export async function loadRegistrableDomain(): Promise<RegistrableDomain> {
  const { getDomain } = await import('tldts');
  return (host) => getDomain(host, { allowPrivateDomains: false }) ?? host;
}
