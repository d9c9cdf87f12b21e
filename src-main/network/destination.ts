import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { untilAborted } from '../base/until-aborted.ts';
import { HttpFailure } from './http.ts';
import type { NetworkAccess } from './network-access.ts';
import { isOnOwnNetwork, type OwnNetworks } from './own-networks.ts';
import { classifyDestination, isMetadataHost, normalizeHost } from './private-network.ts';

/** All addresses of a host name, in the order to try them in. Rejects if there are none. */
export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Resolves names as the system does: first by the hosts file, then by DNS. */
export const systemLookup: Lookup = (hostname) => dns.lookup(hostname, { all: true });

/** The host and addresses that a request goes to. The classification is valid for exactly these addresses. */
export interface Destination {
  readonly url: URL;
  /** The host as in a URL, but an IPv6 address without brackets. */
  readonly host: string;
  readonly class: NetworkAccess['class'];
  readonly isMetadata: boolean;
  /** Empty if the name has not been looked up yet, or has no address. */
  readonly addresses: readonly LookupAddress[];
  /** Why it could not be looked up. */
  readonly problem?: unknown;
}

/**
 * A URL that a request may go to, without its fragment. User names and passwords are refused: they would end up in
 * results, logs and questions, and `https://bank.example@evil.example/` is meant to be misread.
 */
export function parseHttpUrl(text: string, base?: URL): URL {
  // Most invalid URLs are addresses without a scheme.
  if (!URL.canParse(text, base?.href) && !/^\s*https?:/i.test(text)) throw wrongScheme();
  if (!URL.canParse(text, base?.href)) throw new HttpFailure('url', 'The URL is not valid');
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw wrongScheme();
  if (url.username !== '' || url.password !== '')
    throw new HttpFailure('url', 'A URL with a user name or password in it is refused; send an Authorization header');
  url.hash = '';
  return url;
}

function wrongScheme(): HttpFailure {
  return new HttpFailure('scheme', 'URL must use http or https scheme');
}

/** The machine's own networks. */
export interface Surroundings {
  readonly lookup: Lookup;
  readonly ownNetworks: OwnNetworks;
}

/** The destination of a request, judged by the URL alone: an IP address is its own address, a name has none yet. */
export function writtenDestination(url: URL, { ownNetworks }: Pick<Surroundings, 'ownNetworks'>): Destination {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const host = normalizeHost(hostname) ?? hostname;
  const family = isIP(host);
  return classified({ url, host }, family === 0 ? [] : [{ address: host, family }], ownNetworks);
}

/** Looks up the addresses of the name as well. Rejects only with the signal's reason. */
export async function lookUp(
  written: Destination,
  { lookup, ownNetworks }: Surroundings,
  signal: AbortSignal,
): Promise<Destination> {
  signal.throwIfAborted();
  if (written.addresses.length > 0) return written;
  try {
    return classified(written, await untilAborted(lookup(written.url.hostname), signal), ownNetworks);
  } catch (problem) {
    signal.throwIfAborted();
    return { ...written, problem };
  }
}

function classified(
  { url, host }: Pick<Destination, 'url' | 'host'>,
  addresses: readonly LookupAddress[],
  ownNetworks: OwnNetworks,
): Destination {
  const known = addresses.map(({ address }) => address);
  const byAddress = classifyDestination(host, known);
  return {
    url,
    host,
    class: byAddress === 'network' && areOwn(known, ownNetworks) ? 'network-private' : byAddress,
    isMetadata: [host, ...known].some(isMetadataHost),
    addresses,
  };
}

/**
 * The system is asked each time, since networks come and go, but only if there is an address to compare: it takes a
 * while.
 */
function areOwn(addresses: readonly string[], ownNetworks: OwnNetworks): boolean {
  if (addresses.length === 0) return false;
  const networks = ownNetworks();
  return addresses.some((address) => isOnOwnNetwork(address, networks));
}

export function accessTo(destination: Destination, method: string): NetworkAccess {
  const { url, host, class: accessClass, isMetadata } = destination;
  return { kind: 'request', class: accessClass, url: url.href, host, method, ...(isMetadata ? { isMetadata } : {}) };
}

/**
 * Whether an access that was allowed covers this one. On the user's own machine and network every port is a separate
 * service, and requests that change something are separate too; on the internet a host counts as one.
 */
export function covers(allowed: NetworkAccess, asked: NetworkAccess): boolean {
  if (allowed.class !== asked.class || allowed.isMetadata !== asked.isMetadata) return false;
  const isReading = /^(?:GET|HEAD)$/.test(asked.method);
  if (!isReading && allowed.method !== asked.method) return false;
  const [from, to] = [new URL(allowed.url), new URL(asked.url)];
  return from.origin === to.origin || (isReading && asked.class === 'network' && from.hostname === to.hostname);
}
