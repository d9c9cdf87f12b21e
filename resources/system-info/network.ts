import { readFile, stat } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { type objectsIn, outputOf, powershellObjects } from './system-command.ts';

/** An interface that is up. */
export interface NetworkInterface extends Link {
  readonly name: string;
  readonly addresses: readonly { readonly family: 'IPv4' | 'IPv6'; readonly address: string }[];
}

export interface Link {
  readonly type: string;
  /** `undefined`: it has none, or does not say. */
  readonly speedMbps?: number | undefined;
}

const UNKNOWN: Link = { type: 'Unknown' };
/** Values of ARPHRD_… in the kernel's include/uapi/linux/if_arp.h. */
const LINUX_TYPES: Readonly<Record<string, string>> = {
  1: 'Ethernet',
  512: 'PPP',
  768: 'Tunnel',
  769: 'Tunnel',
  776: 'Tunnel',
  778: 'Tunnel',
  65534: 'Tunnel',
};
const WINDOWS_ADAPTERS = 'Get-NetAdapter -IncludeHidden | Select-Object Name,MediaType,ReceiveLinkSpeed';

export async function readNetwork(): Promise<readonly NetworkInterface[]> {
  // Those without an address are not there.
  const found = Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses.length === 0 ? [] : [{ name, addresses }],
  );
  const linkOf = await links();
  return Promise.all(
    found.map(async ({ name, addresses }) => ({
      name,
      ...(addresses.some(({ internal }) => internal) ? { type: 'Loopback' } : await linkOf(name)),
      addresses: addresses.map(({ family, address }) => ({ family, address })),
    })),
  );
}

async function links(): Promise<(name: string) => Link | Promise<Link>> {
  if (process.platform === 'win32') {
    const adapters = windowsLinks(await powershellObjects(WINDOWS_ADAPTERS));
    return (name) => adapters.get(name) ?? UNKNOWN;
  }
  if (process.platform === 'darwin') {
    const asked = [outputOf('/usr/sbin/networksetup', ['-listallhardwareports']), outputOf('/sbin/ifconfig', ['-a'])];
    const [ports = '', settings = ''] = await Promise.all(asked);
    const ofMac = macLinks(ports, settings);
    return (name) => ofMac.get(name) ?? (/^(?:utun|gif|stf|ipsec)/.test(name) ? { type: 'Tunnel' } : UNKNOWN);
  }
  return linuxLink;
}

/** Source: https://www.kernel.org/doc/Documentation/ABI/testing/sysfs-class-net. */
async function linuxLink(name: string): Promise<Link> {
  const folder = join('/sys/class/net', name);
  const textOf = (file: string) => readFile(join(folder, file), 'utf8').catch(() => '');
  const isWireless = stat(join(folder, 'wireless')).then(
    () => true,
    () => false,
  );
  const [type, speed, wireless] = await Promise.all([textOf('type'), textOf('speed'), isWireless]);
  // -1: nobody knows.
  const mbps = Number(speed.trim());
  return {
    type: wireless ? 'Wireless' : (LINUX_TYPES[type.trim()] ?? UNKNOWN.type),
    speedMbps: mbps > 0 ? mbps : undefined,
  };
}

/** By device, of `networksetup -listallhardwareports` and `ifconfig -a`. */
export function macLinks(hardwarePorts: string, settings: string): ReadonlyMap<string, Link> {
  const types = hardwarePorts.matchAll(/^Hardware Port: (.+)\nDevice: (\S+)$/gm);
  const speeds = new Map<string, number>();
  for (const block of settings.split(/\n(?=\S)/)) {
    const device = /^(\S+?):/.exec(block)?.[1];
    const [, number, unit] = /^\s*media: .*?\((\d+(?:\.\d+)?)(G?)base/m.exec(block) ?? [];
    if (device !== undefined && number !== undefined) speeds.set(device, Number(number) * (unit === 'G' ? 1_000 : 1));
  }
  return new Map(
    [...types].map(([, port = '', device = '']) => [
      device,
      { type: port === 'Wi-Fi' ? 'Wireless' : port, speedMbps: speeds.get(device) },
    ]),
  );
}

/** By name, of `Get-NetAdapter`; speeds are in bits per second. */
export function windowsLinks(adapters: ReturnType<typeof objectsIn>): ReadonlyMap<string, Link> {
  const types: Readonly<Record<string, string>> = { '802.3': 'Ethernet', 'Native 802.11': 'Wireless' };
  return new Map(
    adapters.map(({ Name, MediaType, ReceiveLinkSpeed }) => {
      const media = typeof MediaType === 'string' && MediaType !== '' ? MediaType : UNKNOWN.type;
      const isKnown = typeof ReceiveLinkSpeed === 'number' && ReceiveLinkSpeed > 0;
      return [
        String(Name),
        { type: types[media] ?? media, speedMbps: isKnown ? Math.round(ReceiveLinkSpeed / 1e6) : undefined },
      ];
    }),
  );
}
