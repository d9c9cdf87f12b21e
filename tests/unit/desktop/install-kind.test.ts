import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type InstallPlace, installKind, ownAppImage } from '../../../src-main/desktop/install-kind.ts';

function place(files: Readonly<Record<string, string>>, changes: Partial<InstallPlace> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'steward-kind-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'resources'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const at: InstallPlace = {
    platform: 'linux',
    env: {},
    executable: join(folder, 'steward'),
    ...changes,
  };
  return { folder, at };
}

test('an AppImage is replaced if its variables are its own', () => {
  const { folder, at } = place({ 'Steward.AppImage': '' });
  const APPIMAGE = join(folder, 'Steward.AppImage');
  expect(installKind({ ...at, env: { APPIMAGE, APPDIR: folder } })).toEqual({ extension: '.AppImage' });
  // Steward was started by another AppImage, whose file must not be replaced.
  for (const APPDIR of [undefined, '', '/tmp/.mount_Editor', `${folder}-other`]) {
    expect(installKind({ ...at, env: { APPIMAGE, APPDIR } })).toEqual({ obstacle: 'by_hand' });
    expect(ownAppImage({ APPIMAGE, APPDIR }, at.executable)).toBeUndefined();
  }
});

test('what a package manager installed is updated by it: this app never runs anything as root', () => {
  for (const type of ['deb', 'rpm']) {
    const { at } = place({ 'resources/package-type': type });
    expect(installKind(at)).toEqual({ obstacle: 'by_hand' });
  }
});

test('other systems and copies that were only unpacked are updated by hand', () => {
  const { at } = place({});
  expect(installKind(at)).toEqual({ obstacle: 'by_hand' });
  expect(installKind({ ...at, platform: 'darwin' })).toEqual({ obstacle: 'by_hand' });
  expect(installKind({ ...at, platform: 'win32' })).toEqual({ obstacle: 'by_hand' });
  const installed = place({ 'Uninstall Steward.exe': '' }, { platform: 'win32' });
  expect(installKind(installed.at)).toEqual({ extension: '.exe' });
});
