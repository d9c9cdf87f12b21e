import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { XdotoolDesk } from '../../fixtures/typing-probe.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const SOON = { timeout: 20_000, interval: 50 };

const touch = (name: string): ScriptedTurn => ({
  blocks: [{ type: 'tool_use', name: 'bash', input: { command: `touch ${name}` } }],
});

/** A user at the system's keyboard; the window manager gives the window the focus. */
async function atKeyboard(context: TestContext, turns: readonly ScriptedTurn[]) {
  const desk = await XdotoolDesk.set(context);
  const api = await startMessagesApi({ turns });
  onTestFinished(() => api.close());
  const rig = new AppRig(context, { api: api.url });
  const running = await rig.launch();
  const user = new User(running);
  const field = running.chat.getByRole('textbox', { name: labels.chat.message });
  await desk.typist(running).pointsAt(field);
  const asks = async (text: string) => {
    await desk.types(text);
    desk.presses('Return');
    return user.question();
  };
  const has = (surface: 'app' | 'consent') => expect.poll(() => focused(running), SOON).toBe(surface);
  const made = (name: string) => existsSync(join(rig.workspace, name));
  return { desk, running, user, field, asks, has, made };
}

const focused = (running: RunningApp) =>
  running.app.evaluate(({ webContents }) => webContents.getFocusedWebContents()?.getURL().split('/')[2] ?? '');

/** Waits until keys may answer. A key brings the end of the question into view. */
async function isOpen(desk: XdotoolDesk, user: User): Promise<void> {
  const sheet = await user.question();
  desk.presses('End');
  await sheet.getByRole('button', { name: labels.consent.allowOnce }).and(sheet.locator(':enabled')).waitFor();
}

/** Runs in a page: whatever is not a key waits there for a third of a second, as where an answer is being drawn. */
function keepBusy(): void {
  const work = new MessageChannel();
  work.port1.onmessage = () => {
    const until = performance.now() + 5;
    while (performance.now() < until);
    work.port2.postMessage(null);
  };
  for (let waiting = 0; waiting < 60; waiting += 1) work.port2.postMessage(null);
}

test('a question takes the keyboard from an empty field, and one key answers it; the next one needs no mouse either', async (context) => {
  const { desk, running, user, asks, has, made } = await atKeyboard(context, [
    touch('one'),
    touch('two'),
    { text: 'Made both.' },
  ]);
  await asks('Make both');
  await has('consent');
  await isOpen(desk, user);
  await running.shoot('question-has-the-keyboard');
  desk.presses('ctrl+Return');
  await expect.poll(() => made('one'), SOON).toBe(true);
  await user.question();
  await has('consent');
  await isOpen(desk, user);
  desk.presses('ctrl+Return');
  await user.sees('Made both.');
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

test('what is typed at a question stays in order while the chat’s page is busy', async (context) => {
  const { desk, running, field, asks, has } = await atKeyboard(context, [touch('one'), { text: 'Made.' }]);
  await asks('Make it');
  // A key of the menu, which the page does not get, is the last that the chat has heard.
  desk.presses('ctrl+0');
  await has('consent');
  await running.chat.evaluate(keepBusy);
  await desk.types('No, Cafe + /x 1');
  await expect.poll(() => field.inputValue(), SOON).toBe('No, Cafe + /x 1');
});

test.for(['taken', 'entered'] as const)(
  'what is typed right after an answer is in the message field: %s',
  async (how, context) => {
    // A next question may come before the first key is pressed. Then it is left for the field, and takes nothing again.
    const names = how === 'taken' ? ['one'] : ['one', 'two', 'three'];
    const turns = [...names.map(touch), { text: 'Made.' }];
    const { desk, running, user, field, asks, has, made } = await atKeyboard(context, turns);
    await asks('Make them');
    for (const name of names) {
      if (how === 'entered') desk.presses('F6');
      await has('consent');
      await isOpen(desk, user);
      desk.presses('ctrl+Return');
      while (!made(name)) await setImmediate();
      await desk.types('Now tidy up');
      await expect.poll(() => field.inputValue(), SOON).toBe('Now tidy up');
      desk.presses('ctrl+a', 'BackSpace');
    }
    await user.sees('Made.');
    expect(await focused(running)).toBe('app');
  },
);

test('keys that were meant for something else answer nothing: Enter, a held key, keys pressed just before', async (context) => {
  const { desk, user, asks, has, made } = await atKeyboard(context, [touch('one'), { text: 'Made.' }]);
  await asks('Make it');
  await has('consent');
  await isOpen(desk, user);
  // The control for what follows: it could be allowed.
  desk.presses(...Array<string>(10).fill('Return'));
  const until = performance.now() + 2_000;
  while (performance.now() < until) desk.presses('ctrl+Return', 'Return');
  expect(made('one')).toBe(false);
  await isOpen(desk, user);
  desk.presses('ctrl+Return');
  await user.sees('Made.');
  expect(made('one')).toBe(true);
});

test('a taken-over chat page gets a question neither the keyboard while text is in the field, nor an answer', async (context) => {
  const { desk, running, user, field, asks, has, made } = await atKeyboard(context, [touch('one'), { text: 'Made.' }]);
  await running.chat.evaluate(() => {
    const { steward } = globalThis as unknown as { steward: { request(r: string, i: unknown): Promise<unknown> } };
    setInterval(() => void steward.request('app.messageField', { isFree: true }), 20);
  });
  await asks('Make it');
  await desk.types('half a sentence');
  // Longer than the second after which an empty field gives the keyboard away.
  const until = performance.now() + 2_000;
  while (performance.now() < until) expect(await focused(running)).toBe('app');
  desk.presses('ctrl+Return');
  expect(await field.inputValue()).toContain('half a sentence');
  expect(made('one')).toBe(false);

  // The question's own page can't say yes without the user either.
  const consent = await running.consent();
  const code = await consent.evaluate(async () => {
    const { steward } = globalThis as unknown as {
      steward: {
        request(r: string, i: unknown): Promise<{ data?: { card: { id: string } }; error?: { code: string } }>;
      };
    };
    const { data } = await steward.request('consent.state', {});
    return (await steward.request('consent.answer', { id: data?.card.id, answer: 'once' })).error?.code;
  });
  expect(code).toBe('not_pressed');
  expect(made('one')).toBe(false);
  desk.presses('F6');
  await has('consent');
  await isOpen(desk, user);
  desk.presses('ctrl+Return');
  await user.sees('Made.');
});

test('something grave needs a second, different key', async (context) => {
  const gone: ScriptedTurn = {
    blocks: [{ type: 'tool_use', name: 'bash', input: { command: 'rm -rf ../x; touch one' } }],
  };
  const { desk, user, asks, has, made } = await atKeyboard(context, [gone, { text: 'Gone.' }]);
  await asks('Tidy up');
  await has('consent');
  const sheet = await user.question();
  await isOpen(desk, user);
  const armed = sheet.getByRole('status').filter({ hasText: 'Any other key cancels' });
  desk.presses('ctrl+Return');
  await armed.waitFor();
  expect(made('one')).toBe(false);
  desk.presses('ctrl+shift+y');
  await user.sees('Gone.');
  expect(made('one')).toBe(true);
});

test('F6 brings back a question that was put off, read as it was, and never leads behind one that covers the window', async (context) => {
  const { desk, running, user, asks, has, made } = await atKeyboard(context, [touch('one'), { text: 'Made.' }]);
  await asks('Make it');
  await has('consent');
  await isOpen(desk, user);
  await user.answers('Later');
  await has('app');
  desk.presses('F6');
  await has('consent');
  const sheet = await user.question();
  await sheet.getByRole('button', { name: labels.consent.allowOnce }).and(sheet.locator(':enabled')).waitFor();
  await user.answers('Enlarge');
  for (let presses = 0; presses < 3; presses += 1) {
    desk.presses('F6');
    expect(await focused(running)).toBe('consent');
  }
  await isOpen(desk, user);
  desk.presses('ctrl+Return');
  await user.sees('Made.');
  expect(made('one')).toBe(true);
});
