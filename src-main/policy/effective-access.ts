import type { NetworkAccess } from '../network/network-access.ts';
import { isPrivateHost, normalizeHost } from '../network/private-network.ts';
import type { Access, AccessClass } from './access.ts';

/**
 * How the policy classifies an access. A request with a method that may change something is `send` (tool catalogue B, index); a private host is
 * private whatever the tool declares; the origins of configured endpoints are public. `asksModel`: second opinions go to providers that the user
 * configured, so their POST requests are not `send`.
 */
export function effectiveClass(asksModel: boolean, access: Access, endpointOrigins: readonly string[]): AccessClass {
  if (access.kind === 'client') return access.requiresPermission ? 'execute' : 'write';
  if (access.kind === 'command' && access.reading !== undefined) return 'read';
  // A server's claim about its own tool is not trusted.
  if (access.kind === 'mcp' && access.classFrom === 'claim' && access.class === 'read') return 'write';
  if (access.kind !== 'request') return access.class;
  const isReading = /^(?:GET|HEAD)$/i.test(access.method);
  if (!isReading && !asksModel) return 'send';
  return isOnPrivateNetwork(access, endpointOrigins) ? 'network-private' : 'network';
}

/** Whether a request of any method stays on the person's own machine or network. */
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

/** The request's host, from its URL, whatever else the tool declares. Empty: not a URL with a host. */
export function hostOf(access: NetworkAccess): string {
  if (!URL.canParse(access.url)) return '';
  return normalizeHost(new URL(access.url).hostname) ?? '';
}
