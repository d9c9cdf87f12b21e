import { normalizeHost } from './private-network.ts';

/**
 * What hosts are compared by where a person names or allows them: as URLs carry them, without a `www.` in front, which is the
 * same site. Ports and schemes are no part of a host. Empty: not a host.
 */
export function hostKey(host: string): string {
  const normal = normalizeHost(host) ?? '';
  const bare = normal.replace(/^www\./, '');
  return bare.includes('.') ? bare : normal;
}

/** `a.b.co.uk` → `b.co.uk`, `a.b.github.io` → `b.github.io`. An address, and a name that nobody can register, stands for itself. */
export type RegistrableDomain = (host: string) => string;

/**
 * By the public suffix list, which is loaded by the first call that needs it. Its private part counts (`github.io`): what is handed
 * out there belongs to as many people as what a registry hands out, and whoever takes a hundred of either is held by the limit on
 * all links together.
 */
export async function loadRegistrableDomain(): Promise<RegistrableDomain> {
  const { getDomain } = await import('tldts');
  return (host) => getDomain(host, { allowPrivateDomains: true }) ?? host;
}
