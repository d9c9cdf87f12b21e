import { normalizeHost } from './private-network.ts';

/**
 * The form in which hosts that a person names or allows are compared: as in a URL, without a leading `www.`, which is the
 * same site, and without port and scheme. Empty: not a host.
 */
export function hostKey(host: string): string {
  const normal = normalizeHost(host) ?? '';
  const bare = normal.replace(/^www\./, '');
  return bare.includes('.') ? bare : normal;
}

/** `a.b.co.uk` → `b.co.uk`, `a.b.github.io` → `b.github.io`. An IP address or a name that can't be registered is returned unchanged. */
export type RegistrableDomain = (host: string) => string;

/**
 * Uses the public suffix list, loaded by the first call that needs it, including its private part (`github.io`): names below it
 * belong to as many different people as registered ones. Someone who owns a hundred of either is still held by the overall limit
 * on links.
 */
export async function loadRegistrableDomain(): Promise<RegistrableDomain> {
  const { getDomain } = await import('tldts');
  return (host) => getDomain(host, { allowPrivateDomains: true }) ?? host;
}
