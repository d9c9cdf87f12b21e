import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { promisify } from 'node:util';
import { errorMessage } from '../base/errors.ts';
import { isInside } from '../base/paths.ts';
import { bubblewrapArguments, TEMPORARY_FOLDER, type View } from './bubblewrap-arguments.ts';
import { BASH, bubblewrapHere } from './installed.ts';
import { sandboxFiles } from './sandbox-files.ts';
import { type Hidden, isTooWide, placesForRootAlone, visiblePlaces } from './visible-places.ts';

export interface SandboxPorts {
  /** The user's home. */
  readonly home: string;
  /** What commands get, without secrets. Read at the first command. */
  readonly environment: () => Readonly<NodeJS.ProcessEnv>;
  /** Whether a file usually holds secrets. */
  readonly isSecretFile: (real: string) => boolean;
  readonly log: (message: string) => void;
}

export interface SandboxedCommand {
  /** The program with its arguments. */
  readonly argv: readonly string[];
  /** The real path of the folder that it runs in, which is inside a root. */
  readonly directory: string;
  /** The real paths of the roots, which can be read and not written. */
  readonly roots: readonly string[];
  /** What can't be opened although it is in a root. Real paths. */
  readonly hidden: readonly Hidden[];
  /** The real path of the profile, which nobody sees. */
  readonly profile: string;
}

/** What tools use of it. */
export type CommandSandbox = Pick<Sandbox, 'canHold' | 'command'>;

/** The program with its arguments that starts the command inside. */
export interface StartedInside {
  readonly command: string;
  readonly args: readonly string[];
}

const TRIAL_WITHIN_MS = 5_000;
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
/** Passes the filter as descriptor 9, which bubblewrap reads and closes, and no other but the first three. */
const WITH_FILTER =
  'cd /proc/self/fd && for fd in *; do if ((fd > 2)) && [[ -e $fd ]]; then exec {fd}>&-; fi; done; exec "$@" 9<"$0"';
const FILTER_DESCRIPTOR = '9';

/** Runs commands where they can change nothing and reach nobody. Nothing is looked at before the first use. */
export class Sandbox {
  readonly #ports: SandboxPorts;
  #works: Promise<boolean> | undefined;

  constructor(ports: SandboxPorts) {
    this.#ports = ports;
  }

  /** Whether a command can be held in these roots (real paths). It was tried, since a system may forbid namespaces. */
  async canHold(roots: readonly string[]): Promise<boolean> {
    if (bubblewrapHere() === undefined || roots.some((root) => isTooWide(root, this.#ports.home))) return false;
    this.#works ??= this.#try();
    return this.#works;
  }

  /** The command that runs this one inside. Throws if there is no sandbox. */
  async command(given: SandboxedCommand): Promise<StartedInside> {
    const program = bubblewrapHere();
    if (program === undefined) throw new Error('this system has no sandbox');
    const { filter, hiding } = await sandboxFiles();
    const view = await this.#view(given);
    const args = bubblewrapArguments(view, hiding);
    const own = Object.entries({ HOME: view.home, TMPDIR: TEMPORARY_FOLDER });
    const settings = [
      ...POINTLESS.flatMap((name) => ['--unsetenv', name]),
      ...own.flatMap(([name, value]) => ['--setenv', name, value]),
    ];
    const bubblewrap = [program, '--seccomp', FILTER_DESCRIPTOR, ...args, ...settings, '--', ...given.argv];
    return { command: BASH, args: ['-c', WITH_FILTER, filter, ...bubblewrap] };
  }

  async #view({ directory, roots, hidden, profile }: SandboxedCommand): Promise<View> {
    const { environment, isSecretFile } = this.#ports;
    const home = await realpath(this.#ports.home);
    const all = await visiblePlaces(home, environment());
    const places = all.filter(({ kind, path }) => kind === 'link' || !isInside(home, path) || !isSecretFile(path));
    const isSeen = (path: string) =>
      [...roots, ...places.map((place) => place.path)].some((each) => isInside(each, path));
    const ofSystem = (await placesForRootAlone()).filter(({ path }) => isSeen(path));
    const ofSteward = isSeen(profile) ? [{ path: profile, kind: 'folder' } as const] : [];
    return { home, places, roots, hidden: [...ofSystem, ...hidden, ...ofSteward], directory };
  }

  async #try(): Promise<boolean> {
    try {
      const nothing = { argv: ['true'], directory: '/', roots: [], hidden: [], profile: '/nonexistent' };
      const { command, args } = await this.command(nothing);
      await promisify(execFile)(command, [...args], { timeout: TRIAL_WITHIN_MS, env: this.#ports.environment() });
      return true;
    } catch (error) {
      this.#ports.log(`Commands can’t be held in a sandbox here: ${errorMessage(error)}`);
      return false;
    }
  }
}
