import { isInside } from '../base/paths.ts';
import type { CoveringFile } from './gate/name-settings.ts';
import type { Hidden, Place } from './visible-places.ts';

/** What one command sees. All paths are real and absolute. */
export interface View {
  readonly home: string;
  /** What exists besides the roots, read-only. */
  readonly places: readonly Place[];
  /** Read-only as well, but for one. */
  readonly roots: readonly string[];
  readonly writable: string | undefined;
  /** What can't be written although it is in that root. */
  readonly kept: readonly string[];
  /** Folders in that root that can't be moved, because what is hidden in them is found by its path later. */
  readonly pinned: readonly string[];
  /** What of /proc belongs to the whole system, read-only too. */
  readonly systemWide: readonly string[];
  /** Files and folders inside all those that can't be opened. */
  readonly hidden: readonly Hidden[];
  /** The folder in which the command runs. */
  readonly directory: string;
  /** It stays in the network that it is started in. Without this, it has an own one with nothing in it. */
  readonly network: { readonly covering: readonly CoveringFile[] } | undefined;
}

/** Limits of what is written to the private folders, which take memory. */
const HOME_BYTES = 256 * 1024 * 1024;
const TEMPORARY_BYTES = 512 * 1024 * 1024;
const SHARED_MEMORY_BYTES = 64 * 1024 * 1024;
const ONE_PAGE = 4096;

/** Where programs write temporary files inside. */
export const TEMPORARY_FOLDER = '/tmp';

/** Own namespaces, no capability, everything ends with the command. */
const APART: readonly string[] = [
  '--unshare-user',
  '--disable-userns',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--die-with-parent',
  '--new-session',
  '--cap-drop',
  'ALL',
  '--hostname',
  'sandbox',
];

/**
 * The arguments of bubblewrap for a command in this view. Later mounts cover earlier ones, so the order matters.
 * `hidingFile` is a file that nobody may open.
 */
export function bubblewrapArguments(view: View, hidingFile: string): readonly string[] {
  const { home, places, roots, writable, kept, pinned, systemWide, hidden, directory, network } = view;
  const ofHome = places.filter(({ path }) => isInside(home, path));
  const ofSystem = places.filter((place) => !ofHome.includes(place));
  const isWritable = (root: string) => writable !== undefined && isInside(writable, root);
  const steps: readonly (readonly string[])[] = [
    APART,
    network === undefined ? ['--unshare-net'] : [],
    ...ofSystem.map(made),
    ['--proc', '/proc'],
    ...systemWide.map((path) => ['--ro-bind', path, path]),
    ['--dev', '/dev'],
    memory('/dev/shm', SHARED_MEMORY_BYTES),
    ['--remount-ro', '/dev'],
    nothing('/sys'),
    memory(TEMPORARY_FOLDER, TEMPORARY_BYTES),
    ['--symlink', '../tmp', '/var/tmp'],
    ['--dir', '/run'],
    memory(home, HOME_BYTES),
    ...ofHome.map(made),
    ...outerFirst(roots).map((root) => [isWritable(root) ? '--bind' : '--ro-bind', root, root]),
    ...outerFirst(pinned).map((path) => ['--bind', path, path]),
    ...kept.map((path) => ['--ro-bind', path, path]),
    ...hidden.map(({ path, kind }) => (kind === 'file' ? ['--ro-bind', hidingFile, path] : nothing(path))),
    ...(network?.covering ?? []).map(({ from, path }) => ['--ro-bind', from, path]),
    ['--remount-ro', '/'],
    ['--chdir', directory],
  ];
  return steps.flat();
}

/** A root inside another one comes after it. */
function outerFirst(roots: readonly string[]): readonly string[] {
  return roots.toSorted((a, b) => a.length - b.length);
}

function made(place: Place): readonly string[] {
  return place.kind === 'link' ? ['--symlink', place.target, place.path] : ['--ro-bind', place.path, place.path];
}

/** An empty folder that takes memory, of which anyone inside may write this much. */
function memory(path: string, bytes: number): readonly string[] {
  return ['--size', `${bytes}`, '--perms', '1777', '--tmpfs', path];
}

/** A folder that nobody may open. */
function nothing(path: string): readonly string[] {
  return ['--size', `${ONE_PAGE}`, '--perms', '0000', '--tmpfs', path, '--remount-ro', path];
}
