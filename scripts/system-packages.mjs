// @ts-check
// Provides what the window and the tests need from the system, in one table and with one function for `start`, `dev`,
// `gallery`, `bench`, the packaged app's trial and the tests. What is missing is installed if that is possible (root on
// Debian or Ubuntu); if not, one line says how to get all of it.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { debianPackagesOf, missingLibraries, systemRelease } from './electron-libraries.mjs';

/**
 * For each Debian package, a command that it contains, and what that is needed for. Those with `screen` are also needed
 * for a window where there is no display; the tests need all of them.
 * @type {Readonly<Record<SystemPackage, { command: string, neededFor: string, screen?: boolean }>>}
 */
export const SYSTEM_PACKAGES = {
  xvfb: { command: 'Xvfb', neededFor: 'a screen without a display', screen: true },
  git: { command: 'git', neededFor: 'repositories' },
  curl: { command: 'curl', neededFor: 'commands that use the network' },
  file: { command: 'file', neededFor: 'commands that look at files' },
  'gnome-keyring': { command: 'gnome-keyring-daemon', neededFor: 'secrets in a real keychain' },
  dbus: { command: 'dbus-run-session', neededFor: 'a session bus for the keychain' },
  procps: { command: 'ps', neededFor: 'process trees' },
  bsdutils: { command: 'script', neededFor: 'prompts on a real terminal' },
  'util-linux': { command: 'setpriv', neededFor: 'running as an unprivileged user' },
  iproute2: { command: 'ip', neededFor: 'networks of commands' },
  bubblewrap: { command: 'bwrap', neededFor: 'commands in a sandbox' },
  socat: { command: 'socat', neededFor: 'networks of commands' },
  openbox: { command: 'openbox', neededFor: 'the focus that a window manager gives' },
  xdotool: { command: 'xdotool', neededFor: 'keys and clicks of the system' },
};

/**
 * @typedef {'xvfb' | 'git' | 'curl' | 'file' | 'gnome-keyring' | 'dbus' | 'procps' | 'bsdutils' | 'util-linux' |
 * 'iproute2' | 'bubblewrap' | 'socat' | 'openbox' | 'xdotool'} SystemPackage
 * @typedef {{ screen?: boolean, tests?: boolean, executable?: string }} Needs
 * a screen that takes the place of a display; everything that tests need; an Electron, whose libraries are needed too
 * @typedef {{ packages: readonly SystemPackage[], libraries: readonly string[] }} Missing packages of the table, and
 * file names of libraries
 * @typedef {{ path: string, platform: NodeJS.Platform, release: string, canInstall: boolean, librariesMissingFor:
 * (executable: string) => string[], install: (names: readonly string[], say: (line: string) => void) => void }} Machine
 * `release`: the text of /etc/os-release
 */

const UPDATE_WITHIN_MS = 180_000;
const INSTALL_WITHIN_MS = 300_000;

/**
 * @param {{ path?: string, platform?: string }} [machine] PATH and `process.platform`
 * @returns {SystemPackage[]} the packages of the whole table that are missing. There are none on macOS and Windows,
 * which need nothing of the kind.
 */
export function missingSystemPackages({ path = process.env.PATH ?? '', platform = process.platform } = {}) {
  if (platform !== 'linux') return [];
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const names = /** @type {SystemPackage[]} */ (Object.keys(SYSTEM_PACKAGES));
  return names.filter((name) => !folders.some((folder) => isExecutable(join(folder, SYSTEM_PACKAGES[name].command))));
}

/**
 * Installs what is missing if possible, and says so, in one line each.
 * @param {Needs} needs
 * @param {(line: string) => void} say
 * @param {Partial<Machine>} [given] what is used instead of this machine's facts
 * @returns {Missing | undefined} what is still missing
 */
export function provideSystem(needs, say, given = {}) {
  const machine = { ...thisMachine(), ...given };
  const missing = missingFor(needs, machine);
  if (missing === undefined || !machine.canInstall) return missing;
  for (const name of missing.packages)
    say(`Installing ${name} (Debian package) for ${SYSTEM_PACKAGES[name].neededFor}`);
  const { packages: ofLibraries } = debianPackagesOf(missing.libraries, machine.release);
  if (ofLibraries.length > 0) say(`Installing libraries that Electron needs: ${ofLibraries.join(' ')}`);
  const names = [...missing.packages, ...ofLibraries];
  if (names.length > 0) machine.install(names, say);
  return missingFor(needs, machine);
}

/**
 * What Steward works without, but worse, and what each brings.
 * @type {Readonly<Partial<Record<SystemPackage, string>>>}
 */
const OF_SANDBOX = {
  bubblewrap: 'commands that only look run in a sandbox, without a question',
  socat: 'commands in the sandbox can reach hosts that you allow',
  iproute2: 'commands in the sandbox can reach hosts that you allow',
};

/**
 * Installs what holds commands in a sandbox. Says how to get it where that is not possible.
 * @param {(line: string) => void} say
 * @param {Partial<Machine>} [given] what is used instead of this machine's facts
 */
export function provideSandbox(say, given = {}) {
  const machine = { ...thisMachine(), ...given };
  const missing = () => missingSystemPackages(machine).filter((name) => name in OF_SANDBOX);
  const names = missing();
  if (names.length > 0 && machine.canInstall) {
    for (const name of names) say(`Installing ${name} (Debian package) for ${SYSTEM_PACKAGES[name].neededFor}`);
    machine.install(names, say);
  }
  for (const name of missing()) say(`${name} is missing: with it, ${OF_SANDBOX[name]}.`);
}

/**
 * @param {Missing} missing
 * @param {string} [release] the text of /etc/os-release
 * @returns {string} what is missing and the one command that brings all of it, for the user
 */
export function describeMissing({ packages, libraries }, release = systemRelease()) {
  const { packages: ofLibraries, unknown } = debianPackagesOf(libraries, release);
  const names = [...packages, ...ofLibraries];
  const lines = packages.map((name) => `${name} is missing, for ${SYSTEM_PACKAGES[name].neededFor}.`);
  if (libraries.length > 0) lines.push(`Electron needs system libraries that are missing: ${libraries.join(', ')}`);
  if (names.length > 0) {
    const install = `apt-get update && apt-get install --yes --no-install-recommends ${names.join(' ')}`;
    lines.push(`To install all of it, as root on Debian or Ubuntu: ${install}`);
  }
  if (unknown.length > 0) lines.push(`Look for packages with: ${unknown.join(', ')}`);
  return lines.join('\n');
}

/**
 * For the tests: tests whose needs are not met are skipped with that reason, or fail (`mustBeComplete`).
 * @param {(line: string) => void} say
 * @param {string} [executable] the Electron of the window's tests
 * @returns {boolean} whether everything is there
 */
export function provideSystemForTests(say, executable) {
  const missing = provideSystem({ tests: true, executable }, say);
  if (missing !== undefined) say(`Some tests cannot run.\n${describeMissing(missing)}`);
  return missing === undefined;
}

/**
 * @param {Needs} needs
 * @param {Machine} machine
 * @returns {Missing | undefined}
 */
function missingFor({ screen = false, tests = false, executable }, { path, platform, librariesMissingFor }) {
  const packages = missingSystemPackages({ path, platform }).filter(
    (name) => tests || (screen && SYSTEM_PACKAGES[name].screen === true),
  );
  const libraries = executable === undefined ? [] : librariesMissingFor(executable);
  return packages.length + libraries.length === 0 ? undefined : { packages, libraries };
}

/** @returns {Machine} */
function thisMachine() {
  return {
    path: process.env.PATH ?? '',
    platform: process.platform,
    release: systemRelease(),
    canInstall: mayInstall(),
    librariesMissingFor: missingLibraries,
    install,
  };
}

/**
 * Whether everything that `npm test` can set up has to be there, so that what is missing is a failure and no reason to
 * skip a test: with CI set, and wherever it can be installed. A machine without a network cannot install anything.
 * @param {{ env?: NodeJS.ProcessEnv, canInstall?: boolean }} [machine]
 * @returns {boolean}
 */
export function mustBeComplete({ env = process.env, canInstall = mayInstall() && hasNetwork() } = {}) {
  return Boolean(env.CI) || canInstall;
}

function hasNetwork() {
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal));
}

function mayInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

/**
 * @param {readonly string[]} names
 * @param {(line: string) => void} say
 */
function install(names, say) {
  const patience = ['-o', 'Acquire::Retries=2', '-o', 'Acquire::http::Timeout=30', '-o', 'DPkg::Lock::Timeout=120'];
  runApt(['-qq', ...patience, 'update'], UPDATE_WITHIN_MS, say);
  runApt(['-qq', ...patience, 'install', '--yes', '--no-install-recommends', ...names], INSTALL_WITHIN_MS, say);
}

/**
 * @param {string[]} args
 * @param {number} withinMs
 * @param {(line: string) => void} say
 */
function runApt(args, withinMs, say) {
  const { status, error, stderr } = spawnSync('apt-get', args, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    timeout: withinMs,
  });
  if (status === 0) return;
  say(`apt-get ${args.join(' ')} failed: ${error?.message ?? (stderr.trim() || `exit code ${status}`)}`);
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = provideSystemForTests((line) => process.stdout.write(`${line}\n`)) ? 0 : 1;
}
