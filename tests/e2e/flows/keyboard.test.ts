import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { XdotoolDesk } from '../../fixtures/typing-probe.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

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
  const user = new User(running);
  const focused = () =>
    chat.evaluate(() => (document.hasFocus() ? document.activeElement?.tagName.toLowerCase() : 'elsewhere'));
  const isInComposer = () => expect.poll(focused, SOON).toBe('textarea');
  /** Tab by Tab, each after the one before has moved the focus. */
  const tabsTo = async (target: Locator) => {
    const isThere = () => target.evaluate((element) => element === document.activeElement);
    for (let tabs = 0; tabs < 12 && !(await isThere()); tabs += 1) {
      const before = await target.page().evaluateHandle(() => document.activeElement);
      desk.presses('Tab');
      const isMoved = () => target.page().evaluate((element) => element !== document.activeElement, before);
      await expect.poll(isMoved, SOON).toBe(true);
    }
    expect(await isThere()).toBe(true);
  };
  const asked = async () => {
    await user.question();
    await chat.locator('[data-docked]').waitFor();
    // Once the question has taken the keyboard by itself, answers count only after half a second.
    await vi.waitFor(async () => {
      const urls = await running.app.evaluate(({ webContents }) => webContents.getFocusedWebContents()?.getURL());
      expect(urls).toContain('steward://consent');
    }, SOON);
    desk.presses('F6');
    const sheet = await user.reads();
    await sheet.getByRole('button', { name: labels.consent.allowOnce }).and(sheet.locator(':enabled')).waitFor();
    return sheet;
  };

  await isInComposer();
  await typist.types('Make one');
  desk.presses('Return');
  await asked();
  desk.presses('ctrl+Return');
  await user.sees('Made one.');
  expect(existsSync(join(rig.workspace, 'one'))).toBe(true);
  await user.waits();

  await isInComposer();
  await typist.types('Make two');
  desk.presses('Return');
  await asked();
  desk.presses('Escape');
  await user.sees('Then not.');
  expect(existsSync(join(rig.workspace, 'two'))).toBe(false);
  await user.waits();

  await isInComposer();
  await typist.types('Make three');
  desk.presses('Return');
  const sheet = await asked();
  const explain = sheet.getByRole('button', { name: labels.consent.denyWithWord });
  await tabsTo(explain);
  desk.presses('Return');
  await sheet.getByRole('textbox').waitFor();
  await typist.types('put it elsewhere');
  desk.presses('ctrl+Return');
  await user.sees('I see.');
  expect(JSON.stringify(api.requests.at(-1)?.body)).toContain('put it elsewhere');
  await user.waits();

  await isInComposer();
  desk.presses('ctrl+comma');
  await chat.getByRole('tab', { name: labels.settings.rules }).waitFor();
  desk.presses('Escape');
  await chat.getByRole('log').waitFor();
  desk.presses('ctrl+k');
  await expect.poll(focused, SOON).toBe('input');
  await typist.types('three');
  await chat.locator('mark').filter({ hasText: 'three' }).first().waitFor();
  desk.presses('Escape');

  const row = chat.locator('[data-row]').first();
  await tabsTo(row);
  desk.presses('F2');
  await chat.getByRole('textbox', { name: 'New title' }).waitFor();
  await typist.types('Three files');
  desk.presses('Return');
  await row.and(chat.getByTitle('Three files')).waitFor();
});

test('a page that swallows every key does not block the shortcuts of the menu', async (context) => {
  const desk = await XdotoolDesk.set(context);
  const running = await new AppRig(context).launch();
  const { chat } = running;
  await desk.typist(running).pointsAt(chat.getByRole('textbox', { name: labels.chat.message }));
  await chat.evaluate(() => {
    const useUp = (event: Event) => {
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    for (const name of ['keydown', 'keypress', 'keyup']) window.addEventListener(name, useUp, true);
  });
  desk.presses('ctrl+comma');
  await chat.getByRole('button', { name: labels.settings.close }).waitFor();
  desk.presses('ctrl+q');
  expect(await running.ended).toBe(0);
});
