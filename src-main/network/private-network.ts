import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** These are not public, according to https://www.iana.org/assignments/iana-ipv4-special-registry and RFC 6890. */
const notPublicIPv4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // A public address, which is however every Azure machine's own host:
  // https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]);

/** The only range that has public addresses. */
const globalIPv6 = blockList('ipv6', [['2000::', 3]]);

/** The ranges that are reserved inside it: protocol assignments with Teredo, documentation, 6to4. */
const notPublicIPv6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

/** The first is used by AWS, Azure, Google and most others; then come Azure's host, Alibaba and Oracle. */
const METADATA_IPV4: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
]);
/** The first is AWS, the second Google. */
const METADATA_IPV6: ReadonlySet<string> = new Set(['fd00:ec2::254', 'fd20:ce::254']);
/**
 * Matches names that are never public: RFC 6761, 6762 and 8375, ICANN's `internal`, and names that can't be registered
 * and that networks use internally.
 */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|test|lan|home|corp|intranet|home\.arpa)$/;
/** A name without a dot is completed by the local network. */
const BARE_NAME = /^[^.]+$/;
/** IPv4 inside IPv6, as the URL standard writes it: mapped addresses and NAT64 (RFC 6052). */
const EMBEDDED_IPV4 = /^(?:::ffff:|64:ff9b::)(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/;

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of subnets) list.addSubnet(address, prefix, family);
  return list;
}

/**
 * A host as in a URL: lower case, IPv4 in four decimal parts however it was written (`0x7f.1`, `2130706433`), IPv6
 * without brackets, no dots at the end. Null if it is not a host.
 */
export function normalizeHost(host: string): string | null {
  const bare = host.replace(/^\[|\]$/g, '');
  // A zone (`fe80::1%eth0`) names a network interface, not a host.
  const authority = bare.includes(':') ? `[${bare.replace(/%.*/s, '')}]` : bare;
  if (authority === '' || /[/?#@\\\s]/.test(authority)) return null;
  try {
    const url = new URL(`http://${authority}/`);
    return url.hostname.replace(/^\[|\]$/g, '').replace(/(?<!\.)\.+$/, '') || null;
  } catch {
    // The URL standard rejects it, so no request can go there.
    return null;
  }
}

/** Whether an IP address is loopback, link-local, private, shared, multicast, metadata or otherwise not public. */
export function isPrivateAddress(address: string): boolean {
  const normal = normalizeHost(address);
  if (normal === null) return true;
  if (isIPv4(normal)) return notPublicIPv4.check(normal, 'ipv4');
  if (!isIPv6(normal)) return true;
  const embedded = EMBEDDED_IPV4.exec(normal);
  if (embedded !== null) return notPublicIPv4.check(fromGroups(embedded[1] ?? '0', embedded[2] ?? '0'), 'ipv4');
  return !globalIPv6.check(normal, 'ipv6') || notPublicIPv6.check(normal, 'ipv6');
}

function fromGroups(high: string, low: string): string {
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}

/** Whether a host is on this machine or network, judged by its name, before it is resolved. */
export function isPrivateHost(host: string): boolean {
  const normal = normalizeHost(host);
  if (normal === null) return true;
  if (isIPv4(normal) || isIPv6(normal)) return isPrivateAddress(normal);
  return PRIVATE_NAME.test(normal) || BARE_NAME.test(normal);
}

/**
 * The access class of a request to a host, given all addresses that its name resolved to (none yet: judged by the name
 * alone). One private address among public ones makes it private, since the connection may use it.
 */
export function classifyDestination(host: string, addresses: readonly string[]): 'network' | 'network-private' {
  return isPrivateHost(host) || addresses.some(isPrivateAddress) ? 'network-private' : 'network';
}

/** Whether cloud machines get credentials at this host. No standing permission may allow it. */
export function isMetadataHost(host: string): boolean {
  const normal = normalizeHost(host);
  if (normal === null) return false;
  const embedded = EMBEDDED_IPV4.exec(normal);
  const address = embedded === null ? normal : fromGroups(embedded[1] ?? '0', embedded[2] ?? '0');
  return METADATA_IPV4.has(address) || METADATA_IPV6.has(normal) || /^metadata(?:\.|$)/.test(normal);
}
