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
