import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { windowWorkspace } from '../../../src-main/ipc/window/window-workspace.ts';

test('a window works where it was launched, unless that is all there is', () => {
  const homeFolder = mkdtempSync(join(tmpdir(), 'steward-home-'));
  onTestFinished(() => rmSync(homeFolder, { recursive: true, force: true }));
  const project = join(homeFolder, 'project');
  const profileDirectory = join(homeFolder, '.config', 'Steward');
  for (const folder of [project, profileDirectory]) mkdirSync(folder, { recursive: true });
  const from = (launchDirectory: string, executable = '/opt/steward/steward') =>
    windowWorkspace({ launchDirectory, homeFolder, profileDirectory, executable });

  expect(from(project)).toBe(project);
  expect(existsSync(join(homeFolder, 'Steward'))).toBe(false);
  const own = join(homeFolder, 'Steward');
  expect(from('/')).toBe(own);
  expect(from(homeFolder)).toBe(own);
  expect(from(join(homeFolder, '..'))).toBe(own);
  expect(from(profileDirectory)).toBe(own);
  expect(from(join(profileDirectory, 'window'))).toBe(own);
  expect(from('/opt/steward')).toBe(own);
  expect(from(join(project, 'removed'))).toBe(own);
  expect(existsSync(own)).toBe(true);
});

test('a folder that can’t be made keeps no window from opening', () => {
  const homeFolder = mkdtempSync(join(tmpdir(), 'steward-home-'));
  onTestFinished(() => rmSync(homeFolder, { recursive: true, force: true }));
  writeFileSync(join(homeFolder, 'Steward'), 'a file');
  const places = { launchDirectory: homeFolder, profileDirectory: join(homeFolder, 'p'), executable: '/opt/s/steward' };
  expect(windowWorkspace({ ...places, homeFolder })).toBe(join(homeFolder, 'Steward'));
});
