import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { realPathOf } from '../../base/real-path.ts';
import { GATE_ADDRESS } from './addresses.ts';

/** A file that commands see in the place of another one. */
export interface CoveringFile {
  readonly from: string;
  /** The real path of what it covers, which need not exist. */
  readonly path: string;
}

const HOSTS = `127.0.0.1 localhost sandbox
::1 localhost ip6-localhost ip6-loopback
`;

/**
 * Writes what makes programs ask the gate for names, and nobody else, into this folder. Throws if the system names no
 * name server, since the file can't be added to a folder that is read-only.
 */
export async function nameSettings(folder: string): Promise<readonly CoveringFile[]> {
  const services = await readFile('/etc/nsswitch.conf', 'utf8').catch(() => undefined);
  const contents: Readonly<Record<string, string | undefined>> = {
    // Each name is asked for as it is. The person's own endings would tell the network that the computer is in.
    'resolv.conf': `nameserver ${GATE_ADDRESS}\noptions ndots:0 timeout:5 attempts:2\n`,
    hosts: HOSTS,
    'nsswitch.conf': services && `${services.replaceAll(/^[ \t]*hosts:/gm, '#')}\nhosts: files dns\n`,
  };
  const covering: CoveringFile[] = [];
  for (const [name, content] of Object.entries(contents)) {
    const { path, exists } = await realPathOf(`/etc/${name}`);
    if (content === undefined || (!exists && path === `/etc/${name}`)) continue;
    const from = join(folder, name);
    await writeFile(from, content, { mode: 0o644 });
    covering.push({ from, path });
  }
  if (!covering.some(({ from }) => from.endsWith('/resolv.conf'))) throw new Error('there is no /etc/resolv.conf');
  return covering;
}
