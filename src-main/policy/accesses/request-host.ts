import type { NetworkAccess } from '../../network/network-access.ts';
import { isPrivateHost, normalizeHost } from '../../network/private-network.ts';

/** Whether a request of any method stays on the user's own machine or network. */
export function isOnPrivateNetwork(access: NetworkAccess, endpointOrigins: readonly string[]): boolean {
  if (isConfiguredOrigin(access, endpointOrigins)) return false;
  return access.class === 'network-private' || isPrivateHost(hostOf(access));
}

export function isConfiguredOrigin(access: NetworkAccess, endpointOrigins: readonly string[]): boolean {
  if (!URL.canParse(access.url)) return false;
  const { origin, protocol } = new URL(access.url);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  return endpointOrigins.some((endpoint) => URL.canParse(endpoint) && new URL(endpoint).origin === origin);
}

/** The request's host from its URL, whatever else the tool declares. Empty if that is not a URL with a host. */
export function hostOf(access: NetworkAccess): string {
  if (!URL.canParse(access.url)) return '';
  return normalizeHost(new URL(access.url).hostname) ?? '';
}
