import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ProgramInstaller } from '../../../src-main/desktop/update-installer.ts';
import { UpdatesRig } from './updates-rig.ts';

const NAME = 'Steward-Setup-0.2.0.exe';
const SOON = { timeout: 15_000, interval: 25 };
/** The installer is a program like any other: here, one that says how it was started. */
const INSTALLER = Buffer.from('#!/bin/sh\necho "$0 $@" > "$(dirname "$0")/../../../../started-with"\n');

/** A confirmed and downloaded installer. */
async function downloaded() {
  const rig = await UpdatesRig.make();
  const installer = new ProgramInstaller({
    appImage: undefined,
    startArguments: ['--profile', '/p'],
    resources: rig.folder,
    releaseLock: () => undefined,
  });
  rig.server.releases('0.2.0', NAME, INSTALLER);
  const updates = await rig.open(rig.program({ extension: '.exe', installer }));
  const offer = await updates.offer();
  if (offer === null) throw new Error('nothing is offered');
  await updates.download(offer);
  await vi.waitFor(() => expect(updates.view.download.name).toBe('ready'), SOON);
  updates.installAtEnd();
  const file = join(rig.profile, 'cache', 'updates', 'download', NAME);
  return { rig, updates, file, startedWith: join(rig.folder, 'started-with') };
}

test('the confirmed installer is started, visibly, and told to start the app afterwards', async () => {
  const { updates, file, startedWith } = await downloaded();
  chmodSync(file, 0o700);
  expect(await updates.install()).toBe(true);
  await vi.waitFor(() => expect(readFileSync(startedWith, 'utf8')).toBe(`${file} --updated --force-run\n`), SOON);
});

test('an installer that was changed after its download is not started', async () => {
  const { updates, file, startedWith } = await downloaded();
  writeFileSync(file, `${INSTALLER.toString()}# evil\n`);
  chmodSync(file, 0o700);
  expect(await updates.install()).toBe(false);
  expect([existsSync(file), existsSync(startedWith)]).toEqual([false, false]);
});

test('an installer that needs an administrator is started by elevate.exe', async () => {
  const { rig, updates, file, startedWith } = await downloaded();
  // Not executable, which means on Windows: not without an administrator.
  const elevate = join(rig.folder, 'elevate.exe');
  writeFileSync(elevate, `#!/bin/sh\necho "$@" > ${startedWith}\n`, { mode: 0o700 });
  expect(await updates.install()).toBe(true);
  await vi.waitFor(() => expect(readFileSync(startedWith, 'utf8')).toBe(`${file} --updated --force-run\n`), SOON);
});

test('an installer that can’t be started is a failed installation', async () => {
  const { updates } = await downloaded();
  expect(await updates.install()).toBe(false);
});
