import { isIPv6 } from 'node:net';

/** The other end of a connection that a command wants. */
export interface Peer {
  /** The name that it asked for, in lower case, or an IP address, an IPv6 one without brackets. */
  readonly host: string;
  readonly port: number;
}

/** The ports of ssh, http, https and git, which go without saying. */
const USUAL_PORTS: ReadonlySet<number> = new Set([22, 80, 443, 9418]);

/**
 * The host for people, with its port if that is an unusual one: `github.com`, `db.example:5432`, `[2001:db8::1]:5432`.
 * On the user's own network (`network-private`) each port is a service of its own.
 */
export function peerName({ host, port }: Peer, reach: 'network' | 'network-private' = 'network'): string {
  if (reach === 'network' && USUAL_PORTS.has(port)) return host;
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
