import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPackage } from '@electron/asar';
import { expect, onTestFinished, test } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const SOON = { timeout: 30_000 };

test('what a command deleted comes back, an archive that Electron takes for a folder too, and goes again', async (context) => {
  const command = 'rm -rf app.asar notes.txt pack.asar; mkdir made.asar; echo x > made.asar/x';
  const api = await startMessagesApi({
    turns: [{ blocks: [{ type: 'tool_use', name: 'bash', input: { command } }] }, { text: 'Deleted.' }],
  });
  onTestFinished(() => api.close());
  const rig = new AppRig(context, { api: api.url, files: { 'notes.txt': 'milk\n', 'pack.asar/a.txt': 'a folder\n' } });
  const inside = (name: string) => join(rig.workspace, name);
  await createPackage(inside('pack.asar'), inside('app.asar'));
  const archive = readFileSync(inside('app.asar'));
  const there = () =>
    ['app.asar', 'notes.txt', 'pack.asar/a.txt', 'made.asar/x'].filter((name) =>
      lstatSync(inside(name), { throwIfNoEntry: false }),
    );
  const running = await rig.launch();
  const user = new User(running);

  await user.ask('Tidy up');
  await user.question();
  await user.answers(labels.consent.allowOnce);
  await user.sees('Deleted.');
  await user.waits();
  expect(there()).toEqual(['made.asar/x']);
  const log = running.chat.getByRole('log');
  await running.shoot('command-changes');
  await log.getByRole('button', { name: labels.chat.undo, exact: true }).click();
  expect(await (await user.question()).innerText()).toContain('app.asar');
  await running.shoot('command-changes-undo');
  await user.answers(labels.consent.undo);
  await expect.poll(there, SOON).toEqual(['app.asar', 'notes.txt', 'pack.asar/a.txt']);
  expect(readFileSync(inside('app.asar')).equals(archive)).toBe(true);
  await log.getByRole('button', { name: labels.chat.redo }).click();
  await user.question();
  await user.answers(labels.consent.redo);
  await expect.poll(there, SOON).toEqual(['made.asar/x']);
});
