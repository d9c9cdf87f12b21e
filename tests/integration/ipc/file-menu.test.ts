import { realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WindowRig } from '../../fixtures/window-rig.ts';

async function called(rig: WindowRig, line: string) {
  const { id, events } = await rig.turn(line);
  return { id, callId: String(events.find(({ type }) => type === 'tool_call')?.id) };
}

test('the menu of a call is for the file that the call was about, by main’s own record', async () => {
  const rig = new WindowRig({ files: { 'notes.md': 'text' } });
  const request = await called(rig, '/read_file {"path":"notes.md"}');
  await rig.request('conversations.fileMenu', request);
  expect(rig.fileMenus).toEqual([{ path: join(rig.workspace, 'notes.md'), canBeShown: true }]);

  await rig.request('conversations.fileMenu', await called(rig, '/get_date'));
  await rig.request('conversations.fileMenu', { ...request, callId: 'none' });
  expect(rig.fileMenus).toHaveLength(1);
  expect(await rig.code('conversations.fileMenu', { ...request, path: '/etc/passwd' })).toMatch(/^(?:ok|bad_input)$/);
  expect(rig.fileMenus.every(({ path }) => path.endsWith('notes.md'))).toBe(true);
});

test('a missing file, or one outside the folders that tools may use, is not shown in the file manager', async () => {
  const rig = new WindowRig();
  symlinkSync('/etc/hostname', join(rig.workspace, 'link'));
  for (const path of ['missing.md', '/etc/hostname', 'link', '//server/share/x'])
    await rig.request('conversations.fileMenu', await called(rig, `/read_file ${JSON.stringify({ path })}`));
  expect(rig.fileMenus.map(({ canBeShown }) => canBeShown)).toEqual([false, false, false, false]);
  // The control: the folder itself may be shown.
  await rig.request('conversations.fileMenu', await called(rig, '/list_directory {"path":"."}'));
  expect(rig.fileMenus.at(-1)).toEqual({ path: realpathSync(rig.workspace), canBeShown: true });
});

test('a path with a line break is not offered: pasted into a terminal, it would run', async () => {
  const rig = new WindowRig();
  for (const path of ['a\nrm -rf x\n', 'a\rb', 'a\u001b[0m'])
    await rig.request('conversations.fileMenu', await called(rig, `/read_file ${JSON.stringify({ path })}`));
  expect(rig.fileMenus).toEqual([]);
});

test('a page brings up no menu by itself', async () => {
  const rig = new WindowRig({ files: { 'notes.md': 'text' } });
  const request = await called(rig, '/read_file {"path":"notes.md"}');
  rig.hasGesture = false;
  expect(await rig.code('conversations.fileMenu', request)).toBe('no_gesture');
  expect(rig.fileMenus).toEqual([]);
});
