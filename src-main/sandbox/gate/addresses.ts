import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * What an address means inside. Names get addresses from ranges that are nobody's: 198.18.0.0/15 is for measurements
 * (RFC 2544), and fd00::/8 for whoever takes a part of it (RFC 4193).
 */

/** The gate's end of the line to the commands, and their end. */
export const GATE_ADDRESS = '198.18.0.1';
export const COMMANDS_ADDRESS = '198.18.0.2';
const IPV6_PREFIX = 'fd53:7465:7761:7264';
export const GATE_ADDRESS_6 = `${IPV6_PREFIX}::1`;
export const COMMANDS_ADDRESS_6 = `${IPV6_PREFIX}::2`;

const MOST_NAMES = 10_000;
const MOST_NAME_LENGTH = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

const ofGate = new BlockList();
ofGate.addSubnet('198.18.0.0', 15, 'ipv4');
ofGate.addSubnet(`${IPV6_PREFIX}::`, 64, 'ipv6');
/** Inside, these are the command's own loopback. Outside, they would be services of this computer. */
const ofLoopback = new BlockList();
ofLoopback.addSubnet('127.0.0.0', 8, 'ipv4');
ofLoopback.addSubnet('0.0.0.0', 8, 'ipv4');
ofLoopback.addSubnet('::', 127, 'ipv6');

/** Whether a name means the command's own loopback (RFC 6761). */
export function isLocalName(name: string): boolean {
  return /(?:^|\.)localhost$/.test(name);
}

/**
 * A host name in lower case without its final dot, or an IP address in its usual form. Undefined for what is neither,
 * among it addresses that are spelled as names (`0x7f.1`, `2130706433`).
 */
export function plainHost(given: string): string | undefined {
  const bare = given.replace(/^\[(.*)\]$/s, '$1').toLowerCase();
  const isIPv6 = isIP(bare) === 6;
  const host = isIPv6 ? bare : bare.replace(/\.$/, '');
  const isName = host.length <= MOST_NAME_LENGTH && host.split('.').every((label) => LABEL.test(label));
  const url = `http://${isIPv6 ? `[${host}]` : host}/`;
  if (!(isIPv6 || isName) || !URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  if (isIPv6) return withoutMapping(hostname.slice(1, -1));
  return hostname === host ? host : undefined;
}

/** `::ffff:1.2.3.4` reaches 1.2.3.4. The URL standard writes it as `::ffff:102:304`. */
function withoutMapping(address: string): string {
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address);
  if (mapped === null) return address;
  const [high, low] = mapped.slice(1).map((part) => Number.parseInt(part, 16));
  return `${(high ?? 0) >> 8}.${(high ?? 0) & 0xff}.${(low ?? 0) >> 8}.${(low ?? 0) & 0xff}`;
}

/** Gives each name an address of its own, so that a connection to the address tells the name. */
export class NameAddresses {
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();

  /** The name's addresses, which stay the same, or undefined if there are too many names. */
  of(name: string): { readonly ipv4: string; readonly ipv6: string } | undefined {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      if (this.#names.length >= MOST_NAMES) return undefined;
      number = this.#names.push(name) - 1;
      this.#numbers.set(name, number);
    }
    return { ipv4: ipv4Of(number), ipv6: ipv6Of(number) };
  }

  /**
   * What a program means that wants this host: a name, or an IP address outside. Undefined if that is nothing outside,
   * or no host.
   */
  meantBy(given: string): string | undefined {
    const host = plainHost(given);
    if (host === undefined || isLocalName(host)) return undefined;
    if (isIP(host) === 0) return host;
    const family = isIPv4(host) ? 'ipv4' : 'ipv6';
    if (ofLoopback.check(host, family)) return undefined;
    return ofGate.check(host, family) ? this.#nameAt(host) : host;
  }

  #nameAt(address: string): string | undefined {
    const parts = isIPv4(address) ? address.split('.').map(Number) : [];
    const number = isIPv4(address)
      ? (((parts[1] ?? 0) - 18) * 256 + (parts[2] ?? 0)) * 256 + (parts[3] ?? 0) - 256
      : Number.parseInt(address.split(':').at(-1) ?? '', 16) - 256;
    const name = this.#names[number];
    return name !== undefined && [ipv4Of(number), ipv6Of(number)].includes(address) ? name : undefined;
  }
}

/** The first 256 addresses are left to the line itself. */
function ipv4Of(number: number): string {
  const at = number + 256;
  return `198.18.${at >> 8}.${at & 0xff}`;
}

function ipv6Of(number: number): string {
  return `${IPV6_PREFIX}::${(number + 256).toString(16)}`;
}
