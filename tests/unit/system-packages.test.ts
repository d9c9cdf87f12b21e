import { writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  describeMissing,
  type Machine,
  missingSystemPackages,
  mustBeComplete,
  provideSandbox,
  provideSystem,
  SYSTEM_PACKAGES,
} from '../../scripts/system-packages.mjs';

const DEBIAN_12 = 'VERSION_ID="12"\nID=debian\n';
const DEBIAN_13 = 'VERSION_ID="13"\nID=debian\n';

/** A Linux with these commands in its PATH, and what it was asked to install. */
async function machineWith(commands: readonly string[], given: Partial<Machine> = {}) {
  const path = await mkdtemp(join(tmpdir(), 'steward-path-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  const add = (command: string) => writeFile(join(path, command), '#!/bin/sh\n', { mode: 0o755 });
  for (const command of commands) await add(command);
  const installed: string[] = [];
  const said: string[] = [];
  const machine: Partial<Machine> = {
    path,
    platform: 'linux',
    release: DEBIAN_12,
    canInstall: false,
    librariesMissingFor: () => [],
    install: (names) => void installed.push(...names),
    ...given,
  };
  return { path, machine, installed, said, say: (line: string) => void said.push(line) };
}

test('a package counts as there when its command can be run', async () => {
  const { path } = await machineWith(Object.values(SYSTEM_PACKAGES).map(({ command }) => command));
  expect(missingSystemPackages({ path, platform: 'linux' })).toEqual([]);
  await chmod(join(path, SYSTEM_PACKAGES.procps.command), 0o644);
  expect(missingSystemPackages({ path, platform: 'linux' })).toEqual(['procps']);
});

test('with an empty PATH everything is missing, by package name', () => {
  expect(missingSystemPackages({ path: '', platform: 'linux' })).toEqual(Object.keys(SYSTEM_PACKAGES));
});

test('no Debian package is missed on a system without Debian packages', () => {
  expect(missingSystemPackages({ path: '', platform: 'darwin' })).toEqual([]);
  expect(missingSystemPackages({ path: '', platform: 'win32' })).toEqual([]);
});

test('a machine where packages can be installed has to be complete, and with CI set every machine', () => {
  expect(mustBeComplete({ env: {}, canInstall: true })).toBe(true);
  expect(mustBeComplete({ env: {}, canInstall: false })).toBe(false);
  expect(mustBeComplete({ env: { CI: 'true' }, canInstall: false })).toBe(true);
});

describe('what is missing', () => {
  const librariesMissingFor = () => ['libgtk-3.so.0', 'libnss3.so', 'libfoo.so.1'];

  test('for commands in a sandbox is installed, or said in a line for each', async () => {
    const { machine, installed, said, say } = await machineWith(['ip']);
    const missing = ['bubblewrap', 'socat'].map((name) =>
      expect.stringMatching(new RegExp(`^${name} is missing: with it, [^\\n]+\\.$`)),
    );
    provideSandbox(say, { ...machine, canInstall: true });
    expect(installed).toEqual(['bubblewrap', 'socat']);
    const installing = [
      'Installing bubblewrap (Debian package) for commands in a sandbox',
      'Installing socat (Debian package) for networks of commands',
    ];
    expect(said).toEqual([...installing, ...missing]);

    const other = await machineWith(['ip']);
    provideSandbox(other.say, other.machine);
    expect([other.installed, other.said]).toEqual([[], missing]);

    const complete = await machineWith(['bwrap', 'socat', 'ip']);
    provideSandbox(complete.say, complete.machine);
    expect(complete.said).toEqual([]);
  });

  test('for a window without a display is its screen and the libraries of its Electron, and nothing of the tests', async () => {
    const { machine, say } = await machineWith([], { librariesMissingFor });
    expect(provideSystem({ screen: true, executable: '/electron' }, say, machine)).toEqual({
      packages: ['xvfb'],
      libraries: ['libgtk-3.so.0', 'libnss3.so', 'libfoo.so.1'],
    });
    expect(provideSystem({ executable: '/electron' }, say, machine)?.packages).toEqual([]);
  });

  test('for the tests is the whole table', async () => {
    const { machine, say } = await machineWith(['git']);
    const missing = provideSystem({ tests: true }, say, machine);
    expect(missing?.packages).toEqual(Object.keys(SYSTEM_PACKAGES).filter((name) => name !== 'git'));
  });

  test('is nothing on a complete machine, and nothing is said', async () => {
    const { machine, say, said } = await machineWith(['Xvfb'], { canInstall: true });
    expect(provideSystem({ screen: true, executable: '/electron' }, say, machine)).toBe(undefined);
    expect(said).toEqual([]);
  });

  test('is installed where that is possible, each said in a line, with the names of the release', async () => {
    let isComplete = false;
    const { path, machine, said, say } = await machineWith([], {
      canInstall: true,
      release: DEBIAN_13,
      librariesMissingFor: () => (isComplete ? [] : ['libgtk-3.so.0', 'libnss3.so']),
    });
    const installed: string[] = [];
    const install = (names: readonly string[]) => {
      installed.push(...names);
      writeFileSync(join(path, 'Xvfb'), '', { mode: 0o755 });
      isComplete = true;
    };
    expect(provideSystem({ screen: true, executable: '/electron' }, say, { ...machine, install })).toBe(undefined);
    expect(installed).toEqual(['xvfb', 'libgtk-3-0t64', 'libnss3']);
    expect(said).toEqual([
      'Installing xvfb (Debian package) for a screen without a display',
      'Installing libraries that Electron needs: libgtk-3-0t64 libnss3',
    ]);
  });

  test('is still reported when installing it did not help', async () => {
    const { machine, installed, say } = await machineWith([], { canInstall: true });
    expect(provideSystem({ screen: true }, say, machine)).toEqual({ packages: ['xvfb'], libraries: [] });
    expect(installed).toEqual(['xvfb']);
  });

  test('is not installed by a normal user, who gets one line that brings everything', async () => {
    const { machine, installed, say, said } = await machineWith([], { librariesMissingFor });
    const missing = provideSystem({ screen: true, executable: '/electron' }, say, machine);
    expect([installed, said]).toEqual([[], []]);
    expect(missing && describeMissing(missing, DEBIAN_12)).toBe(
      [
        'xvfb is missing, for a screen without a display.',
        'Electron needs system libraries that are missing: libgtk-3.so.0, libnss3.so, libfoo.so.1',
        'To install all of it, as root on Debian or Ubuntu: apt-get update && apt-get install --yes --no-install-recommends xvfb libgtk-3-0 libnss3',
        'Look for packages with: libfoo.so.1',
      ].join('\n'),
    );
  });
});
