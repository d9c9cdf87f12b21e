import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { XdotoolDesk } from '../../fixtures/typing-probe.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { Person } from '../../fixtures/window-person.ts';

const SOON = { timeout: 20_000, interval: 50 };

const touch = (name: string): ScriptedTurn => ({
  blocks: [{ type: 'tool_use', name: 'bash', input: { command: `touch ${name}` } }],
});

/** A person at the system's keyboard; the window manager gives the window the focus. */
async function atKeyboard(context: TestContext, turns: readonly ScriptedTurn[]) {
  const desk = await XdotoolDesk.set(context);
  const api = await startMessagesApi({ turns });
  onTestFinished(() => api.close());
  const rig = new AppRig(context, { api: api.url });
  const running = await rig.launch();
  const person = new Person(running);
  const field = running.chat.getByRole('textbox', { name: labels.chat.message });
  await desk.typist(running).pointsAt(field);
  const asks = async (text: string) => {
    await desk.types(text);
    desk.presses('Return');
    return person.question();
  };
  const has = (surface: 'app' | 'consent') => expect.poll(() => focused(running), SOON).toBe(surface);
  const made = (name: string) => existsSync(join(rig.workspace, name));
  return { desk, running, person, field, asks, has, made };
}

const focused = (running: RunningApp) =>
  running.app.evaluate(({ webContents }) => webContents.getFocusedWebContents()?.getURL().split('/')[2] ?? '');

/** Until keys may answer; the end of the question is brought into view by a key. */
async function isOpen(desk: XdotoolDesk, person: Person): Promise<void> {
  const sheet = await person.question();
  desk.presses('End');
  await sheet.getByRole('button', { name: labels.consent.allowOnce }).and(sheet.locator(':enabled')).waitFor();
}

test('a question takes the keyboard from an empty field, and one key answers it; the next one needs no mouse either', async (context) => {
  const { desk, running, person, asks, has, made } = await atKeyboard(context, [
    touch('one'),
    touch('two'),
    { text: 'Made both.' },
  ]);
  await asks('Make both');
  await has('consent');
  await isOpen(desk, person);
  await running.shoot('question-has-the-keyboard');
  desk.presses('ctrl+Return');
  await expect.poll(() => made('one'), SOON).toBe(true);
  await person.question();
  await has('consent');
  await isOpen(desk, person);
  desk.presses('ctrl+Return');
  await person.sees('Made both.');
  expect(made('two')).toBe(true);
  await has('app');
});

test('what is typed at a question that took the keyboard by itself is in the message field, all of it, as typed there', async (context) => {
  const { desk, running, field, asks, has, made } = await atKeyboard(context, [touch('one'), { text: 'Made.' }]);
  await asks('Make it');
  await has('consent');
  await desk.types('no, cafe /x 1');
  await expect.poll(() => field.inputValue(), SOON).toBe('no, cafe /x 1');
  await has('app');
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  await running.shoot('question-gave-the-keyboard-back');
  expect(made('one')).toBe(false);
});
