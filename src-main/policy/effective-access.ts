import type { NetworkAccess } from '../network/network-access.ts';
import { isPrivateHost, normalizeHost } from '../network/private-network.ts';
import type { Access, AccessClass } from './access.ts';

/**
 * What the policy takes an access for. A request with a method that may change something sends (tool catalogue B, index); a
 * private host is private whatever the tool says; the origins of configured endpoints are public. `asksModel`: second
 * opinions go to providers that the user configured; that they are POST requests makes no sending of them.
 */
export function effectiveClass(asksModel: boolean, access: Access, endpointOrigins: readonly string[]): AccessClass {
  if (access.class === 'execute' && access.reading !== undefined) return 'read';
  // What a server says of its own tool is nobody's word.
  if ('kind' in access && access.kind === 'mcp' && access.classFrom === 'claim' && access.class === 'read')
    return 'write';
  if (!('host' in access)) return access.class;
  const isReading = /^(?:GET|HEAD)$/i.test(access.method);
  if (!isReading && !asksModel) return 'send';
  return isOnPrivateNetwork(access, endpointOrigins) ? 'network-private' : 'network';
}

/** Whether a request, of whatever method, stays on the person's own machine or network. */
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

/** Where the request goes, from its URL: what a tool says beside it does not count. Empty: not a URL with a host. */
export function hostOf(access: NetworkAccess): string {
  if (!URL.canParse(access.url)) return '';
  return normalizeHost(new URL(access.url).hostname) ?? '';
}
