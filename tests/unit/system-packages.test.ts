import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { missingSystemPackages, mustBeComplete, SYSTEM_PACKAGES } from '../../scripts/system-packages.mjs';

test('a package counts as there when its command can be run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'steward-path-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const { command } of Object.values(SYSTEM_PACKAGES)) {
    await writeFile(join(folder, command), '#!/bin/sh\n');
    await chmod(join(folder, command), 0o755);
  }
  expect(missingSystemPackages({ path: folder, platform: 'linux' })).toEqual([]);
  await chmod(join(folder, SYSTEM_PACKAGES.procps.command), 0o644);
  expect(missingSystemPackages({ path: folder, platform: 'linux' })).toEqual(['procps']);
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
