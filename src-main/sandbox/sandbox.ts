import { execFile } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { SandboxLack } from '../../src-preload/contract/sandbox-lack.ts';
import { isInside } from '../base/paths.ts';
import { bubblewrapArguments, TEMPORARY_FOLDER, type View } from './bubblewrap-arguments.ts';
import { CLOSING_DESCRIPTORS } from './closing-descriptors.ts';
import type { SandboxNetwork } from './gate/network-gate.ts';
import { BASH, bubblewrapHere, lackHere } from './installed.ts';
import { sandboxFiles } from './sandbox-files.ts';
import { filesIn, type Hidden, isTooWide, keptApart, visiblePlaces } from './visible-places.ts';

export interface SandboxPorts {
  /** The user's home. */
  readonly home: string;
  /** What commands get, without secrets. */
  readonly environment: () => Readonly<NodeJS.ProcessEnv>;
  /** Says of many files whether they usually hold secrets. Made anew for each command, since files change. */
  readonly secretFileTest: () => (real: string) => boolean;
}

export interface SandboxedCommand {
  /** The program with its arguments. */
  readonly argv: readonly string[];
  /** The real path of the folder that it runs in, which is inside a root. */
  readonly directory: string;
  /** The real paths of the roots, which can be read. */
  readonly roots: readonly string[];
  /** The real path of the one of them that can be written. Without it, none can. */
  readonly writable?: string;
  /** What can't be written although it is in that root. Real paths. */
  readonly kept?: readonly string[];
  /** What can't be opened although it is in a root. Real paths. */
  readonly hidden: readonly Hidden[];
  /** The real path of the profile, which nobody sees. */
  readonly profile: string;
  /** The network of a gate. Without it, it has none but a loopback of its own. */
  readonly network?: SandboxNetwork | undefined;
  /** It gets no variable by which the loader or bash would run other code in it. */
  readonly ownCodeOnly?: boolean | undefined;
}

/** What tools use of it. */
export type CommandSandbox = Pick<Sandbox, 'canHold' | 'command'>;

/** The program with its arguments that starts the command inside, and the environment that it needs. */
export interface StartedInside {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<NodeJS.ProcessEnv>;
}

const TRIAL_WITHIN_MS = 30_000;
const APPARMOR_SETTING = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';
const MAX_SAID = 300;
/** Variables that name a socket or a folder which doesn't exist inside. */
const POINTLESS = [
  'DBUS_SESSION_BUS_ADDRESS',
  'DBUS_SYSTEM_BUS_ADDRESS',
  'DISPLAY',
  'DOCKER_HOST',
  'SSH_AUTH_SOCK',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
];
/**
 * Variables that the loader of programs, the C library and bash obey. With `LD_LIBRARY_PATH=:/opt/lib`, which is often
 * set by mistake, they would load libraries from the folder of the command, still outside, so at most the command gets
 * them.
 */
const OBEYED = /^(?:LD_|BASH|GLIBC_|GCONV_PATH$|LOCPATH$|SHELLOPTS$|ENV$)/;
/** bash takes a socket on stdin for a remote shell, and would run the user's `.bashrc` then. Node's pipes are sockets. */
const WITHOUT_SETTINGS = ['--norc', '--noprofile'];
/** Passes the filter as descriptor 9, which bubblewrap reads and closes, and no other but the first three. */
const WITH_FILTER = `${CLOSING_DESCRIPTORS}; exec "$@" 9<"$0"`;
const FILTER_DESCRIPTOR = '9';
/**
 * Devices are the system's own inside too, and root owns them, so it could take /dev/null from all others. bubblewrap
 * can't make a device read-only, but takes over that it is.
 */
const FIXING_DEVICES = '/usr/bin/mount -o remount,bind,ro /dev && exec "$@"';
const WITH_FIXED_DEVICES = [
  '/usr/bin/unshare',
  '--mount',
  '--propagation',
  'private',
  BASH,
  ...WITHOUT_SETTINGS,
  '-c',
  FIXING_DEVICES,
  BASH,
];
/** Fails if the rights of a device could be changed. They are set to what they are. */
const TRIAL = [
  'bash',
  ...WITHOUT_SETTINGS,
  '-c',
  'for each in /dev/{null,zero,tty}; do ! chmod "$(stat -c %a $each)" $each || exit 1; done',
];

/** Runs commands where they can change nothing and reach nobody. Nothing is looked at before the first use. */
export class Sandbox {
  readonly #ports: SandboxPorts;
  #tried: Promise<SandboxLack | undefined> | undefined;

  constructor(ports: SandboxPorts) {
    this.#ports = ports;
  }

  /** Whether a command can be held in these roots (real paths). */
  async canHold(roots: readonly string[]): Promise<boolean> {
    return (await this.lackIn(roots)) === undefined;
  }

  /**
   * Why a command can't be held in these roots, or undefined if it can. That was tried, since a system may
   * forbid namespaces.
   */
  async lackIn(roots: readonly string[]): Promise<SandboxLack | undefined> {
    const lack = lackHere();
    if (lack !== undefined) return lack;
    if (!(await this.#mayHold(roots))) return { code: 'wide_root' };
    this.#tried ??= this.#try();
    return this.#tried;
  }

  /** The command that runs this one inside. Throws if there is no sandbox. */
  async command(given: SandboxedCommand): Promise<StartedInside> {
    const program = bubblewrapHere();
    if (program === undefined) throw new Error('this system has no sandbox');
    const { filter, hiding } = await sandboxFiles();
    if (!(await this.#mayHold(given.roots))) throw new Error('the folder holds more than a sandbox can hide');
    const view = await this.#view(given, dirname(filter));
    const args = bubblewrapArguments(view, hiding);
    const own = Object.entries({ HOME: view.home, TMPDIR: TEMPORARY_FOLDER, ...given.network?.environment });
    const environment = Object.entries(this.#ports.environment());
    const forCommand = given.ownCodeOnly ? [] : environment.filter(([name]) => OBEYED.test(name));
    const settings = [
      ...POINTLESS.flatMap((name) => ['--unsetenv', name]),
      ...[...forCommand, ...own].flatMap(([name, value]) =>
        value === undefined ? ['--unsetenv', name] : ['--setenv', name, value],
      ),
    ];
    const asRoot = process.getuid?.() === 0 ? WITH_FIXED_DEVICES : [];
    const around = [...asRoot, ...(given.network?.entering ?? [])];
    const bubblewrap = [...around, program, '--seccomp', FILTER_DESCRIPTOR, ...args, ...settings, '--', ...given.argv];
    return {
      command: BASH,
      args: [...WITHOUT_SETTINGS, '-c', WITH_FILTER, filter, ...bubblewrap],
      environment: Object.fromEntries(environment.filter(([name]) => !OBEYED.test(name))),
    };
  }

  async #mayHold(roots: readonly string[]): Promise<boolean> {
    const home = await realpath(this.#ports.home);
    return !roots.some((root) => isTooWide(root, home));
  }

  async #view(
    { directory, roots, writable, kept = [], hidden, profile, network }: SandboxedCommand,
    ownFiles: string,
  ): Promise<View> {
    const { environment, secretFileTest } = this.#ports;
    const isSecretFile = secretFileTest();
    const home = await realpath(this.#ports.home);
    const found = await visiblePlaces(home, roots, environment());
    const places = found.filter(({ kind, path }) => kind === 'link' || !isInside(home, path) || !isSecretFile(path));
    const seen = [...roots, ...places.map(({ path }) => path)];
    const isSeen = (path: string) => seen.some((each) => isInside(each, path));
    const apart = await keptApart();
    const ofSystem = apart.hidden.filter(({ path }) => isSeen(path) || isInside('/proc', path));
    // Temporary files may be in a root too, where a command could change the filter of the next one.
    const ofSteward = [profile, await realpath(ownFiles)]
      .filter(isSeen)
      .map((path) => ({ path, kind: 'folder' }) as const);
    const pinned = ofSteward.flatMap(({ path }) => foldersBetween(writable, path));
    const ofPlaces = (await filesIn(places)).filter(({ path }) => isSecretFile(path));
    const all = [...ofSystem, ...ofPlaces, ...hidden, ...ofSteward];
    return {
      home,
      places,
      roots,
      writable,
      kept,
      pinned,
      systemWide: apart.systemWide,
      hidden: all,
      directory,
      network,
    };
  }

  async #try(): Promise<SandboxLack | undefined> {
    try {
      const nothing = { argv: TRIAL, directory: '/', roots: [], hidden: [], profile: '/nonexistent' };
      const { command, args, environment: env } = await this.command(nothing);
      await promisify(execFile)(command, [...args], { timeout: TRIAL_WITHIN_MS, env });
      return undefined;
    } catch (error) {
      // A machine that is only busy now is tried again.
      if (error instanceof Error && 'killed' in error && error.killed === true) this.#tried = undefined;
      return (await isRestrictedByAppArmor()) ? { code: 'apparmor' } : { code: 'refused', said: saidBy(error) };
    }
  }
}

/** The folders around this path that are inside the root. */
function foldersBetween(root: string | undefined, path: string): readonly string[] {
  const around = dirname(path);
  if (root === undefined || around === root || !isInside(root, around)) return [];
  return [...foldersBetween(root, around), around];
}

/** Since Ubuntu 23.10. Root may create them in any case. */
async function isRestrictedByAppArmor(): Promise<boolean> {
  // Kernels without the setting have no such file.
  const setting = await readFile(APPARMOR_SETTING, 'utf8').catch(() => '');
  return setting.trim() === '1' && process.getuid?.() !== 0;
}

/** The last line that the program printed on stderr. */
function saidBy(error: unknown): string {
  const printed = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  return (printed.trim().split('\n').at(-1) ?? '').slice(0, MAX_SAID);
}
