import { BlockList, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** This machine's addresses with their networks: `2606:4700:1::7/64`. */
export type OwnNetworks = () => readonly string[];

export const systemNetworks: OwnNetworks = () =>
  Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.flatMap(({ cidr }) => (cidr === null ? [] : [cidr])),
  );

/** No one's own network is wider than this (a tunnel may claim the whole internet); then only the address counts. */
const WIDEST = { ipv4: 16, ipv6: 48 } as const;
const WHOLE = { ipv4: 32, ipv6: 128 } as const;

/**
 * Whether an address belongs to this machine or one of its networks although it is public (IPv6 at home, a
 * machine in a data centre). Every site that we contact sees our address and may redirect us back to it.
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
