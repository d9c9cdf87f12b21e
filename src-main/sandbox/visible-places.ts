import type { Stats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isInside } from '../base/paths.ts';
import { programPlaces } from './program-places.ts';

/** What exists in the sandbox besides the roots, read-only: what programs need in order to run. */

/** A place of the disk as it is seen inside, or a link that is made there. */
export type Place =
  | { readonly kind: 'shown'; readonly path: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string };

/** Something inside those, or inside a root, that can't be opened. */
export interface Hidden {
  /** A real path. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
}

/** The system's programs, libraries and settings. A folder of data that someone made at the top is not among them. */
const OF_SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
  '/opt',
  '/nix/store',
  '/gnu/store',
  '/snap',
  '/home/linuxbrew/.linuxbrew',
  // What is installed, for those who ask the package manager.
  '/var/lib/dpkg',
  '/var/lib/rpm',
  '/var/lib/pacman',
  '/usr/lib/sysimage',
];

/** Parts of those that are for root alone, who could read them without any capability, because they are root's own. */
const FOR_ROOT_ALONE = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/etc/ssh',
  '/etc/ssl/private',
  '/etc/pki/tls/private',
  '/etc/letsencrypt',
  '/etc/NetworkManager',
  '/etc/wireguard',
  '/etc/openvpn',
  '/etc/ppp',
  '/etc/ipsec.secrets',
  '/etc/krb5.keytab',
  '/etc/docker',
  '/etc/rancher',
  '/etc/kubernetes',
];

/** Toolchains and settings without secrets, below the home. */
const OF_HOME = [
  '.nvm',
  '.fnm',
  '.volta',
  '.bun/bin',
  '.deno/bin',
  '.rustup',
  '.cargo/bin',
  '.pyenv',
  '.rbenv',
  '.asdf',
  '.sdkman/candidates',
  '.jenv',
  '.goenv',
  '.local/share/mise',
  '.local/share/fnm',
  '.local/share/pnpm',
  '.local/share/uv/python',
  '.local/share/uv/tools',
  '.gitconfig',
  '.config/git/config',
  '.config/git/ignore',
  '.config/git/attributes',
];

/** The places that exist now, in an order in which each can be made. */
export async function visiblePlaces(
  home: string,
  roots: readonly string[],
  environment: Readonly<NodeJS.ProcessEnv>,
): Promise<readonly Place[]> {
  const isLeftOut = (real: string) => isTooWide(real, home) || roots.some((root) => isInside(root, real));
  const paths = [
    ...OF_SYSTEM,
    ...OF_HOME.map((path) => join(home, path)),
    ...(await programPlaces(environment.PATH ?? '', isLeftOut)),
  ];
  const places = await Promise.all([...new Set(paths)].map(placeAt));
  const found = places.flatMap((place) => place ?? []).sort((one, other) => one.path.localeCompare(other.path));
  return found.filter(({ path }) => !found.some((other) => other.path !== path && isInside(other.path, path)));
}

/** The files directly in the folders that are shown: somebody may keep scripts and their secrets in a folder of PATH. */
export async function filesIn(places: readonly Place[]): Promise<readonly Hidden[]> {
  const folders = places.flatMap(({ kind, path }) => (kind === 'shown' ? path : []));
  const entries = folders.map((folder) => readdir(folder, { withFileTypes: true }).catch(() => []));
  const files = (await Promise.all(entries)).flat().filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => ({ path: join(parentPath, name), kind: 'file' }));
}

/** What commands can't open or change although a folder around it is shown. */
export interface KeptApart {
  readonly hidden: readonly Hidden[];
  /** What of /proc belongs to the whole system. */
  readonly systemWide: readonly string[];
}

let unreadable: Promise<readonly Hidden[]> | undefined;

/**
 * What of the system is kept apart now: places that are for root alone, and parts of /proc. As root also everything else
 * in /etc that not everyone may read, looked for once, because it takes as long as a command.
 */
export async function keptApart(): Promise<KeptApart> {
  const found = await Promise.all(FOR_ROOT_ALONE.map((path) => lstat(path).catch(() => undefined)));
  const known = FOR_ROOT_ALONE.flatMap((path, index): Hidden[] => {
    const entry = found[index];
    if (entry === undefined || entry.isSymbolicLink()) return [];
    return [{ path, kind: entry.isDirectory() ? 'folder' : 'file' }];
  });
  if (process.getuid?.() === 0) unreadable ??= unreadableBelow('/etc');
  const others = ((await unreadable) ?? []).filter(({ path }) => !known.some((each) => isInside(each.path, path)));
  const { hidden, systemWide } = await partsOfKernel();
  return { hidden: [...known, ...others, ...hidden], systemWide };
}

async function unreadableBelow(folder: string): Promise<readonly Hidden[]> {
  const below = (await entriesOf(folder)).map(async ({ path, entry }): Promise<readonly Hidden[]> => {
    if (entry.isDirectory())
      return isForEveryone(entry, OPEN_FOLDER) ? unreadableBelow(path) : [{ path, kind: 'folder' }];
    return isForEveryone(entry, READABLE) ? [] : [{ path, kind: 'file' }];
  });
  return (await Promise.all(below)).flat();
}

/**
 * The parts of /proc that are no process. Root may write some of them and read the rest without any capability, because
 * they are root's own, and which there are differs by kernel.
 */
async function partsOfKernel(): Promise<KeptApart> {
  const parts = (await entriesOf('/proc')).filter(({ path }) => !/^[0-9]+$/.test(basename(path)));
  const [hidden, systemWide] = [[] as Hidden[], [] as string[]];
  for (const { path, entry } of parts) {
    if (!entry.isDirectory() && !isForEveryone(entry, READABLE)) hidden.push({ path, kind: 'file' });
    else if (entry.isDirectory() || (entry.mode & WRITABLE) !== 0) systemWide.push(path);
  }
  return { hidden, systemWide };
}

const READABLE = 0o004;
const OPEN_FOLDER = 0o005;
const WRITABLE = 0o222;

function isForEveryone({ mode }: Stats, rights: number): boolean {
  return (mode & rights) === rights;
}

/** What is in a folder now, without links. */
async function entriesOf(folder: string): Promise<readonly { readonly path: string; readonly entry: Stats }[]> {
  const paths = (await readdir(folder)).map((name) => join(folder, name));
  const entries = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)));
  return paths.flatMap((path, index) => {
    const entry = entries[index];
    return entry === undefined || entry.isSymbolicLink() ? [] : [{ path, entry }];
  });
}

/** A root in which no sandbox makes sense: all that it is to hide is in there. */
export function isTooWide(root: string, home: string): boolean {
  const never = [home, '/usr', '/etc', '/var', '/proc', '/dev', '/sys', '/run', '/tmp'];
  return never.some((path) => isInside(root, path));
}

async function placeAt(path: string): Promise<Place | undefined> {
  const entry = await lstat(path).catch(() => undefined);
  if (entry === undefined) return undefined;
  return entry.isSymbolicLink() ? { kind: 'link', path, target: await readlink(path) } : { kind: 'shown', path };
}
