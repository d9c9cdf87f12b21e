import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { SettingsView } from '../../../src-preload/contract/settings.ts';
import { SOON, WindowRig } from '../../fixtures/window-rig.ts';

const view = (rig: WindowRig) => rig.request<SettingsView>('settings.get');
const listing = async (rig: WindowRig) => {
  const { events } = await rig.turn('/list_files {}');
  return events.find(({ type }) => type === 'tool_result')?.text;
};
/** The page hears of a change; of one from now on, unless told otherwise. */
const settingsChange = (rig: WindowRig, from = rig.events.length) =>
  vi.waitFor(
    () => expect(rig.events.slice(from)).toContainEqual(expect.objectContaining({ name: 'settingsChanged' })),
    SOON,
  );
/** A window whose settings name a folder that was removed before it started. */
async function withoutItsFolder(change: (folder: string) => void): Promise<{ rig: WindowRig; folder: string }> {
  const first = new WindowRig();
  const folder = join(first.folder, 'drive', 'project');
  mkdirSync(folder, { recursive: true });
  first.chosen.push(folder);
  const choosing = first.request('settings.chooseWorkspace');
  await first.answer({ answer: 'once' });
  await choosing;
  await first.close();
  change(folder);
  return { rig: new WindowRig({ like: first, withoutWorkspace: true }), folder };
}

test('a window starts without its workspace, works nowhere else meanwhile, and goes on once the drive is back', async () => {
  const { rig, folder } = await withoutItsFolder((path) => rmSync(dirname(path), { recursive: true }));
  expect(await view(rig)).toMatchObject({ workspace: folder, workspaceFlaw: 'missing' });
  expect(await listing(rig)).toContain(`The workspace ${folder} does not exist.`);

  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'notes.md'), 'text');
  await settingsChange(rig);
  expect(await view(rig)).toMatchObject({ workspace: folder, workspaceFlaw: null });
  expect(await listing(rig)).toBe('notes.md');
});

test('another folder can be chosen instead', async () => {
  const { rig } = await withoutItsFolder((path) => rmSync(path, { recursive: true }));
  const other = join(rig.folder, 'other');
  mkdirSync(other);
  rig.chosen.push(other);
  const choosing = rig.request<SettingsView>('settings.chooseWorkspace');
  await rig.answer({ answer: 'once' });
  expect(await choosing).toMatchObject({ workspace: other, workspaceFlaw: null });
});

test.each([
  ['a file', 'not_folder', (path: string) => writeFileSync(path, '')],
  ['a link that leads nowhere', 'unreadable', (path: string) => symlinkSync(path, path)],
] as const)('a window opens even if its workspace became %s', async (_name, flaw, replace) => {
  const { rig, folder } = await withoutItsFolder((path) => {
    rmSync(path, { recursive: true });
    replace(path);
  });
  expect(await view(rig)).toMatchObject({ workspace: folder, workspaceFlaw: flaw });
});

test('a workspace that disappears while the window is open is shown as missing, and calls say so', async () => {
  const rig = new WindowRig();
  expect((await view(rig)).workspaceFlaw).toBeNull();
  renameSync(rig.workspace, `${rig.workspace}-gone`);
  expect((await view(rig)).workspaceFlaw).toBe('missing');
  for (const call of ['/read_file {"path": "a.txt"}', '/run_command {"command": "ls"}', '/glob {"pattern": "*"}']) {
    const { events } = await rig.turn(call);
    expect(events.find(({ type }) => type === 'tool_result')?.text).toContain(rig.workspace);
  }
});

test('Settings say which granted folder can’t be used, and why', async () => {
  const rig = new WindowRig({ config: { folders: ['/nowhere/reports', '/etc/hostname', '/usr/share'] } });
  expect((await view(rig)).folders.map(({ flaw }) => flaw)).toEqual(['missing', 'not_folder', null]);
});
