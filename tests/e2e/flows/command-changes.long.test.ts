import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
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

test('a part of what a command deleted comes back by the pointer; the user’s own change stays; a kill loses no list', async (context) => {
  const deletes = 'rm -rf src; sed -i s/one/ONE/ *.txt; mv old.bin new.bin';
  const goesOn = 'rm two.txt; touch started; sleep 600; rm one.txt';
  const api = await startMessagesApi({
    turns: [
      { blocks: [{ type: 'tool_use', name: 'bash', input: { command: deletes } }] },
      { text: 'Tidied.' },
      { blocks: [{ type: 'tool_use', name: 'bash', input: { command: goesOn } }] },
    ],
  });
  onTestFinished(() => api.close());
  const modules = Array.from({ length: 130 }, (_, n) => [`src/lib/m${n}.ts`, `export const m = ${n};\n`]);
  const texts = { 'one.txt': 'one\n', 'two.txt': 'one\ntwo\n', 'old.bin': 'x'.repeat(5_000) };
  const rig = new AppRig(context, { api: api.url, files: { ...texts, ...Object.fromEntries(modules) } });
  const inside = (name: string) => join(rig.workspace, name);
  let running = await rig.launch();
  let user = new User(running);
  await user.ask('Tidy up');
  const asked = await user.question();
  await asked.getByText('Deletes files in the workspace.').waitFor();
  // It is kept before.
  expect(await asked.innerText()).not.toContain('can’t be undone');
  await user.answers(labels.consent.allowOnce);
  await user.sees('Tidied.');
  await user.waits();

  const log = running.chat.getByRole('log');
  await log.getByRole('button', { name: labels.chat.changes }).click();
  writeFileSync(inside('one.txt'), 'mine\n');
  await log.getByRole('button', { name: labels.chat.chooseChanges }).click();
  for (const name of ['src', 'one.txt', 'new.bin'])
    await log.getByRole('checkbox', { name: `Undo ${name}`, exact: true }).click();
  await running.shoot('command-changes-chosen');
  await log.getByRole('button', { name: 'Undo 132 files and 2 folders' }).click();
  const sheet = await user.question();
  expect(await sheet.innerText()).toMatch(/src\/ comes back, with 130 files in it\n/);
  await running.shoot('command-changes-part');
  await user.answers(labels.consent.undo);
  await log.getByText('one.txt was left: you or another program has changed it since.').waitFor();
  await running.chat.getByText('Restored 131 files and 2 folders.').waitFor();
  for (const name of ['src', 'new.bin'])
    await log.getByRole('listitem').filter({ hasText: name }).getByText('undone', { exact: true }).first().waitFor();
  await running.shoot('command-changes-partly-undone');
  expect(readFileSync(inside('src/lib/m129.ts'), 'utf8')).toBe('export const m = 129;\n');
  expect(readFileSync(inside('one.txt'), 'utf8')).toBe('mine\n');
  expect(existsSync(inside('old.bin'))).toBe(true);

  await user.ask('Go on');
  await user.answers(labels.consent.allowOnce);
  await expect.poll(() => existsSync(inside('started')), SOON).toBe(true);
  await running.kill();
  running = await rig.launch();
  user = new User(running);
  await running.chat.locator('[data-row]').first().click();
  await user.sees(/Made 1 file · deleted 1 file · found after Steward ended/);
  await running.chat.getByRole('log').getByRole('button', { name: labels.chat.undo, exact: true }).last().click();
  await user.answers(labels.consent.undo);
  await expect.poll(() => existsSync(inside('two.txt')), SOON).toBe(true);
  expect(existsSync(inside('started'))).toBe(false);
});
