// @ts-check
// Tells whether Chromium's sandbox can be had. If it can't, Electron aborts before it shows anything, with a stack
// trace as its only advice.
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const TRIED_WITHIN_MS = 20_000;
const ROOT_SETUID = 0o4000;
/** Files in which the kernel or a distribution restricts user namespaces, each with the value that says so. */
const RESTRICTIONS = {
  // From Ubuntu 23.10 on, only programs with an AppArmor profile may create them.
  '/proc/sys/kernel/apparmor_restrict_unprivileged_userns': '1',
  // Debian before 11 and hardened kernels have this setting.
  '/proc/sys/kernel/unprivileged_userns_clone': '0',
  '/proc/sys/user/max_user_namespaces': '0',
};

/**
 * @typedef {{ platform: NodeJS.Platform, isRoot: boolean, read: (file: string) => string | undefined, helperMode:
 * (file: string) => { uid: number, mode: number } | undefined, starts: (executable: string) => boolean }}
 * SandboxMachine `starts`: the executable runs with its sandbox, because it has a profile
 * @param {string} executable
 * @param {Partial<SandboxMachine>} [given] what is used instead of this machine's facts
 * @returns {string | undefined} why the app can't be started, and the ways out. Root needs no sandbox to start; it has
 * none.
 */
export function sandboxProblem(executable, given = {}) {
  const { platform, isRoot, read, helperMode, starts } = { ...thisMachine(), ...given };
  if (platform !== 'linux' || isRoot) return undefined;
  const restriction = Object.entries(RESTRICTIONS).find(([file, value]) => read(file) === value)?.[0];
  if (restriction === undefined) return undefined;
  const helper = join(dirname(executable), 'chrome-sandbox');
  const found = helperMode(helper);
  if (found?.uid === 0 && (found.mode & ROOT_SETUID) !== 0) return undefined;
  return starts(executable) ? undefined : waysOut(executable, helper, restriction);
}

/**
 * @param {string} executable
 * @param {string} helper
 * @param {string} restriction
 */
function waysOut(executable, helper, restriction) {
  const setting = restriction.replace('/proc/sys/', '').replaceAll('/', '.');
  const useHelper = `sudo chown root:root ${quoted(helper)} && sudo chmod 4755 ${quoted(helper)}`;
  const reason = `This system keeps programs from creating user namespaces (${setting}), which Chromium's sandbox needs, so Electron can't start.`;
  if (!restriction.includes('apparmor')) return [reason, `To allow it: ${useHelper}`].join('\n');
  return [
    reason,
    `Either allow it for this Electron: put the following into /etc/apparmor.d/steward-source, and run sudo apparmor_parser -r /etc/apparmor.d/steward-source`,
    '  abi <abi/4.0>,',
    '  include <tunables/global>',
    `  profile steward-source "${executable.replace(/[[\]{}*?^"\\]/g, '\\$&')}" flags=(unconfined) {`,
    '    userns,',
    '  }',
    `Or let it use its helper: ${useHelper}`,
  ].join('\n');
}

/** @param {string} path */
function quoted(path) {
  return /^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** @returns {SandboxMachine} */
function thisMachine() {
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    read: (file) => {
      try {
        return readFileSync(file, 'utf8').trim();
      } catch {
        // Kernels without the setting have no such file.
        return undefined;
      }
    },
    helperMode: (file) => statSync(file, { throwIfNoEntry: false }),
    // Electron sets its sandbox up before it prints its version.
    starts: (executable) =>
      spawnSync(executable, ['--version'], { stdio: 'ignore', timeout: TRIED_WITHIN_MS }).status === 0,
  };
}
