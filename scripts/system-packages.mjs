// @ts-check
// The Debian packages that the tests need. `npm test` installs missing ones if it can (root on Debian), and fails if that does not help.
// Elsewhere it reports what is missing, and the tests that need it are skipped with that reason, except with CI set.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { debianPackagesOf, missingLibraries } from './electron-libraries.mjs';

/** Debian package → a command it contains, and what it is used to test. */
export const SYSTEM_PACKAGES = {
  'gnome-keyring': { command: 'gnome-keyring-daemon', neededFor: 'secrets in a real keychain' },
  dbus: { command: 'dbus-run-session', neededFor: 'a session bus for the keychain' },
  procps: { command: 'ps', neededFor: 'process trees' },
  bsdutils: { command: 'script', neededFor: 'prompts on a real terminal' },
  'util-linux': { command: 'setpriv', neededFor: 'running as an unprivileged user' },
  iproute2: { command: 'ip', neededFor: 'what leaves a network' },
  xvfb: { command: 'Xvfb', neededFor: 'the window' },
  openbox: { command: 'openbox', neededFor: 'the focus that a window manager gives' },
  xdotool: { command: 'xdotool', neededFor: 'keys and clicks of the system' },
};

/** @typedef {keyof typeof SYSTEM_PACKAGES} SystemPackage */

const UPDATE_WITHIN_MS = 180_000;
const INSTALL_WITHIN_MS = 300_000;

/**
 * @param {{ path?: string, platform?: string }} [machine] PATH and `process.platform`
 * @returns {SystemPackage[]} always empty on macOS and Windows, where tests need nothing of the kind
 */
export function missingSystemPackages({ path = process.env.PATH ?? '', platform = process.platform } = {}) {
  if (platform !== 'linux') return [];
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const names = /** @type {SystemPackage[]} */ (Object.keys(SYSTEM_PACKAGES));
  return names.filter((name) => !folders.some((folder) => isExecutable(join(folder, SYSTEM_PACKAGES[name].command))));
}

/**
 * Installs missing packages if possible, and reports what it did and what is still missing.
 * @param {(line: string) => void} say
 * @returns {SystemPackage[]} what is still missing
 */
export function provideSystemPackages(say) {
  const missing = missingSystemPackages();
  if (missing.length === 0) return [];
  if (mayInstall()) install(missing, say);
  const stillMissing = missingSystemPackages();
  for (const name of stillMissing) {
    say(`Debian package ${name} is missing: tests of ${SYSTEM_PACKAGES[name].neededFor} cannot run.`);
  }
  if (stillMissing.length > 0) say(`To install: apt-get install ${stillMissing.join(' ')}`);
  return stillMissing;
}

/**
 * Installs the shared libraries that an Electron lacks, if possible. The caller reports what is still missing.
 * @param {string} executable
 * @param {(line: string) => void} say
 */
export function provideLibraries(executable, say) {
  const { packages } = debianPackagesOf(missingLibraries(executable));
  if (packages.length > 0 && mayInstall()) install(packages, say);
}

/**
 * Whether everything that `npm test` can set up has to be there, so that what is missing is a failure and no reason to skip a
 * test: with CI set, and wherever it can be installed. A machine without a network cannot install anything.
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
  say(`Installing Debian packages: ${names.join(' ')}`);
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
  process.exitCode = provideSystemPackages((line) => process.stdout.write(`${line}\n`)).length === 0 ? 0 : 1;
}
