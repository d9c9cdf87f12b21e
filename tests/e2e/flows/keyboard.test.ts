import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { XdotoolDesk } from '../../fixtures/typing-probe.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { Person } from '../../fixtures/window-person.ts';

const SOON = { timeout: 20_000, interval: 100 };

const touch = (name: string): ScriptedTurn => ({
  blocks: [{ type: 'tool_use', name: 'bash', input: { command: `touch ${name}` } }],
});

test('a whole session by the keys of the system alone: messages, questions, settings, search, a new title', async (context) => {
  const desk = await XdotoolDesk.set(context);
  const api = await startMessagesApi({
    turns: [
      touch('one'),
      { text: 'Made one.' },
      touch('two'),
      { text: 'Then not.' },
      touch('three'),
      { text: 'I see.' },
    ],
  });
  onTestFinished(() => api.close());
  const rig = new AppRig(context, { api: api.url });
  const running = await rig.launch();
  const { chat } = running;
  const typist = desk.typist(running);
  const person = new Person(running);
  const focusIn = (page: typeof chat) => page.evaluate(() => document.activeElement?.tagName.toLowerCase());
  const asked = async () => {
    const sheet = await person.reads();
    await chat.locator('[data-docked]').waitFor();
    await sheet.getByRole('button', { name: labels.consent.allowOnce }).and(sheet.locator(':enabled')).waitFor();
    desk.presses('F6');
    await vi.waitFor(async () => {
      const urls = await running.app.evaluate(({ webContents }) => webContents.getFocusedWebContents()?.getURL());
      expect(urls).toContain('steward://consent');
    }, SOON);
    return sheet;
  };

  await vi.waitFor(async () => expect(await focusIn(chat)).toBe('textarea'), SOON);
  await typist.types('Make one');
  desk.presses('Return');
  await asked();
  desk.presses('ctrl+Return');
  await person.sees('Made one.');
  expect(existsSync(join(rig.workspace, 'one'))).toBe(true);
  await person.waits();

  await typist.types('Make two');
  desk.presses('Return');
  await asked();
  desk.presses('Escape');
  await person.sees('Then not.');
  expect(existsSync(join(rig.workspace, 'two'))).toBe(false);
  await person.waits();

  await typist.types('Make three');
  desk.presses('Return');
  const sheet = await asked();
  const explain = sheet.getByRole('button', { name: labels.consent.denyWithWord });
  const isExplainFocused = () => explain.evaluate((element) => element === document.activeElement);
  for (let tabs = 0; tabs < 12 && !(await isExplainFocused()); tabs += 1) desk.presses('Tab');
  desk.presses('Return');
  await sheet.getByRole('textbox').waitFor();
  await typist.types('put it elsewhere');
  desk.presses('ctrl+Return');
  await person.sees('I see.');
  expect(JSON.stringify(api.requests.at(-1)?.body)).toContain('put it elsewhere');
  await person.waits();

  desk.presses('ctrl+comma');
  await chat.getByRole('tab', { name: labels.settings.rules }).waitFor();
  desk.presses('Escape');
  await chat.getByRole('log').waitFor();
  desk.presses('ctrl+k');
  await vi.waitFor(async () => expect(await focusIn(chat)).toBe('input'), SOON);
  await typist.types('three');
  await chat.locator('mark').filter({ hasText: 'three' }).first().waitFor();
  desk.presses('Escape');

  const row = chat.locator('[data-row]').first();
  const isRowFocused = () => row.evaluate((element) => element === document.activeElement);
  for (let tabs = 0; tabs < 12 && !(await isRowFocused()); tabs += 1) desk.presses('Tab');
  desk.presses('F2');
  await chat.getByRole('textbox', { name: 'New title' }).waitFor();
  await typist.types('Three files');
  desk.presses('Return');
  await row.and(chat.getByTitle('Three files')).waitFor();
});
