import { BlockList, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Addresses of this machine with the networks that they are in: `2606:4700:1::7/64`. */
export type OwnNetworks = () => readonly string[];

export const systemNetworks: OwnNetworks = () =>
  Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.flatMap(({ cidr }) => (cidr === null ? [] : [cidr])),
  );

/** A wider network than anybody's own (a tunnel may say that it is the whole internet): then the address alone counts. */
const WIDEST = { ipv4: 16, ipv6: 48 } as const;
const WHOLE = { ipv4: 32, ipv6: 128 } as const;

/**
 * Whether an address is this machine's or of a network that it stands in, though its number is a public one (IPv6 at home, a
 * machine in a data centre). Every site that we ask sees that number, and may lead us back to it.
 */
export function isOnOwnNetwork(address: string, networks: readonly string[]): boolean {
  const own = new BlockList();
  for (const network of networks) {
    const [base = '', prefix = ''] = network.split('/');
    const family = familyOf(base);
    own.addSubnet(base, Number(prefix) >= WIDEST[family] ? Number(prefix) : WHOLE[family], family);
  }
  return own.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
