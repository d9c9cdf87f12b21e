import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { playwrightTypist, typesWhole, typesWholeWhileAsked, XdotoolDesk } from '../../fixtures/typing-probe.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const SENTENCE = 'the quick brown fox jumps over the lazy dog, and then 0123456789 sheep are counted twice. ';
const TEXT = SENTENCE.repeat(5).trim();

/** An app whose model asks for a command again and again, whatever it is answered. */
async function askingApp(context: TestContext): Promise<RunningApp> {
  const call = (n: number) => ({ type: 'tool_use', name: 'bash', input: { command: `touch made-${n}` } }) as const;
  const turns = Array.from({ length: 45 }, (_, n) => ({ blocks: [call(n)] }));
  const api = await startMessagesApi({ turns: [...turns, { text: 'Enough.' }] });
  onTestFinished(() => api.close());
  const running = await new AppRig(context, { api: api.url }).launch();
  const user = new User(running);
  await user.ask('go');
  await user.question();
  return running;
}

test('keys of the system arrive, all of them and in order', async (context) => {
  const desk = await XdotoolDesk.set(context);
  const running = await new AppRig(context).launch();
  await typesWhole(running, desk.typist(running), TEXT);
});

test('keys typed as soon as the field takes them arrive, while the rest of the page is being fetched', async (context) => {
  const { chat } = await new AppRig(context).launch();
  const field = chat.getByRole('textbox', { name: labels.chat.message });
  for (let starts = 1; starts <= 5; starts += 1) {
    await field.fill('');
    await chat.reload({ waitUntil: 'commit' });
    await field.focus();
    await chat.keyboard.type(SENTENCE);
    await expect.poll(() => field.inputValue()).toBe(SENTENCE);
  }
});

test('keys typed while questions come and go lose no character', async (context) => {
  const running = await askingApp(context);
  expect(await typesWholeWhileAsked(running, playwrightTypist(running), TEXT)).toBeGreaterThan(3);
});

test('keys of the system lose no character either, whatever would take the focus', async (context) => {
  const desk = await XdotoolDesk.set(context);
  const running = await askingApp(context);
  expect(await typesWholeWhileAsked(running, desk.typist(running), TEXT)).toBeGreaterThan(3);
});
