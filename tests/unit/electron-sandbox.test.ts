import { expect, test } from 'vitest';
import { type SandboxMachine, sandboxProblem } from '../../scripts/electron-sandbox.mjs';

const APPARMOR = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';
const CLONE = '/proc/sys/kernel/unprivileged_userns_clone';
const DIST = '/home/ann/my steward/dist';

/** Ubuntu 24.04 with a fresh clone. */
function ubuntu(given: Partial<SandboxMachine> = {}): SandboxMachine {
  return {
    platform: 'linux',
    isRoot: false,
    read: (file) => (file === APPARMOR ? '1' : undefined),
    helperMode: () => ({ uid: 1000, mode: 0o100755 }),
    starts: () => false,
    ...given,
  };
}

test('where AppArmor keeps Electron from its sandbox, both ways out are named, for its own path', () => {
  expect(sandboxProblem(`${DIST}/electron`, ubuntu())).toBe(
    [
      "This system keeps programs from creating user namespaces (kernel.apparmor_restrict_unprivileged_userns), which Chromium's sandbox needs, so Electron can't start.",
      'Either allow it for this Electron: put the following into /etc/apparmor.d/steward-source, and run sudo apparmor_parser -r /etc/apparmor.d/steward-source',
      '  abi <abi/4.0>,',
      '  include <tunables/global>',
      `  profile steward-source "${DIST}/electron" flags=(unconfined) {`,
      '    userns,',
      '  }',
      `Or let it use its helper: sudo chown root:root '${DIST}/chrome-sandbox' && sudo chmod 4755 '${DIST}/chrome-sandbox'`,
    ].join('\n'),
  );
});

test('characters that AppArmor or the shell would read as patterns are escaped', () => {
  const advice = sandboxProblem("/home/o'neill/[1]/electron", ubuntu());
  expect(advice).toContain('profile steward-source "/home/o\'neill/\\[1\\]/electron"');
  expect(advice).toContain("chmod 4755 '/home/o'\\''neill/[1]/chrome-sandbox'");
});

test('a kernel without user namespaces has only the helper as a way out', () => {
  const read = (file: string) => (file === CLONE ? '0' : undefined);
  const advice = sandboxProblem('/dist/electron', ubuntu({ read }));
  expect(advice).toContain('kernel.unprivileged_userns_clone');
  expect(advice).toContain('sudo chmod 4755 /dist/chrome-sandbox');
  expect(advice).not.toContain('apparmor');
});

test.each<[string, Partial<SandboxMachine>]>([
  ['nothing is restricted', { read: (file) => (file === APPARMOR ? '0' : '1') }],
  ['the kernel has no such settings', { read: () => undefined }],
  ['its helper belongs to root and is setuid', { helperMode: () => ({ uid: 0, mode: 0o104755 }) }],
  ['it has a profile, and so starts', { starts: () => true }],
  ['root starts it, without a sandbox', { isRoot: true }],
  ['the system is not Linux', { platform: 'darwin' }],
])('there is no problem where %s', (_, machine) => {
  expect(sandboxProblem('/dist/electron', ubuntu(machine))).toBe(undefined);
});

test.each<[string, ReturnType<SandboxMachine['helperMode']>]>([
  ['is missing', undefined],
  ['belongs to a user', { uid: 1000, mode: 0o104755 }],
  ['is not setuid', { uid: 0, mode: 0o100755 }],
])('a helper that %s does not help', (_, found) => {
  expect(sandboxProblem('/dist/electron', ubuntu({ helperMode: () => found }))).toBeTypeOf('string');
});
