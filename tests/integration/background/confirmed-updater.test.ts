import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { confirmedUpdater, replaceMembers, type UpdatedApp } from '../../../src-main/desktop/confirmed-updater.ts';
import { ElectronUpdateInstaller } from '../../../src-main/desktop/update-installer.ts';
import { sha512 } from '../../fixtures/release-server.ts';
import { UpdatesRig } from './updates-rig.ts';

const BYTES = Buffer.from('the new version');
const file = { name: 'Steward-0.2.0.AppImage', bytes: BYTES.length, sha512: sha512(BYTES) };

async function appAt() {
  const rig = await UpdatesRig.make();
  const cacheFolder = join(rig.profile, 'updates');
  mkdirSync(cacheFolder);
  vi.stubEnv('APPIMAGE', '/nowhere.AppImage');
  onTestFinished(() => void vi.unstubAllEnvs());
  const app: UpdatedApp = {
    extension: '.AppImage',
    version: '0.1.0',
    feedFile: rig.feedFile,
    cacheFolder,
    startArguments: [],
    relaunch: () => undefined,
  };
  return { app, id: join(cacheFolder, '.updaterId'), pending: join(cacheFolder, 'steward-updater', 'pending') };
}

async function updaterAt() {
  const { app, id } = await appAt();
  const { updater } = confirmedUpdater(app, { version: '0.2.0', file, receive: async () => undefined });
  updater.on('error', () => undefined);
  return { updater, id };
}

test('electron-updater writes no id for staged rollouts, and would if its own reading of releases were used', async () => {
  const { updater, id } = await updaterAt();
  await updater.checkForUpdates();
  expect(existsSync(id)).toBe(false);
  Reflect.deleteProperty(updater, 'getUpdateInfoAndProvider');
  await expect(updater.checkForUpdates()).rejects.toThrow();
  expect(existsSync(id)).toBe(true);
});

test('an electron-updater whose private members have other names is not used', async () => {
  const { updater } = await updaterAt();
  for (const name of ['getUpdateInfoAndProvider', 'httpExecutor', 'spawnLog']) expect(name in updater).toBe(true);
  expect(() => replaceMembers(updater, { spawnLog: null, spawnLogged: null })).toThrow('spawnLogged');
});

test('a file that appears just before the download, under another name or as a link, is refused', async () => {
  for (const plant of [plantOtherName, plantLink]) {
    const { app, pending } = await appAt();
    const installer = new ElectronUpdateInstaller({ ...app, appImage: undefined, releaseLock: () => undefined });
    // After the folder was emptied.
    vi.spyOn(installer, 'discard').mockImplementation(async () => plant(pending));
    await expect(installer.fetch({ version: '0.2.0', file, receive: never })).rejects.toThrow('not where it belongs');
    await expect(installer.install()).rejects.toThrow('no downloaded file');
  }
});

function plantOtherName(pending: string): void {
  const fileName = '`touch evil`.AppImage';
  mkdirSync(pending, { recursive: true });
  writeFileSync(join(pending, fileName), BYTES);
  writeFileSync(join(pending, 'update-info.json'), JSON.stringify({ fileName, sha512: file.sha512 }));
}

function plantLink(pending: string): void {
  mkdirSync(pending, { recursive: true });
  writeFileSync(join(pending, 'elsewhere'), BYTES);
  symlinkSync('elsewhere', join(pending, file.name));
  writeFileSync(join(pending, 'update-info.json'), JSON.stringify({ fileName: file.name, sha512: file.sha512 }));
}

async function never(): Promise<void> {
  throw new Error('nothing is received');
}
