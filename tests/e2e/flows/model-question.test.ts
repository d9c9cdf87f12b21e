import { expect, onTestFinished, test } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { XdotoolDesk } from '../../fixtures/typing-probe.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const asks = (question: string, choices?: readonly string[]): ScriptedTurn => ({
  blocks: [{ type: 'tool_use', name: 'ask_user', input: { question, ...(choices && { choices }) } }],
});

test('a question of the model is answered with real keys: a digit, other words, F6 and Escape; after a crash it is gone', async (context) => {
  const desk = await XdotoolDesk.set(context);
  const choices = ['The one of March', 'The one of April'];
  const api = await startMessagesApi({
    turns: [
      { blocks: [{ type: 'tool_use', name: 'Desktop', input: {} }] },
      asks('Which report?', choices),
      asks('Which folder?', choices),
      asks('Which month?', choices),
      asks('Which title?'),
      { text: 'That is all.' },
      asks('Which colour?'),
    ],
  });
  onTestFinished(() => api.close());
  const rig = new AppRig(context, { api: api.url });
  const running = await rig.launch();
  const { chat } = running;
  const typist = desk.typist(running);
  const user = new User(running);
  const isAsked = (text: string) => chat.getByRole('region', { name: 'The model asks you' }).getByText(text).waitFor();
  const told = () => JSON.stringify(api.requests.at(-1)?.body);

  await user.ask('Copy the report');
  await isAsked('Which report?');
  await user.card('ask_user', 'waiting').waitFor();
  desk.presses('2', 'Return');
  await isAsked('Which folder?');
  expect(told()).toContain('The one of April');
  await typist.types('the blue one');
  desk.presses('Return');
  await isAsked('Which month?');
  // Main saw it typed: nobody is asked about it.
  expect(told()).toContain('the blue one');
  desk.presses('F6');
  await chat.locator('[data-choice="1"]:focus').waitFor();
  desk.presses('2');
  await chat.locator('[data-choice="2"]:focus').waitFor();
  desk.presses('F6');
  await chat.getByRole('textbox', { name: labels.chat.message }).and(chat.locator(':focus')).waitFor();
  desk.presses('1', 'Return');
  await isAsked('Which title?');
  desk.presses('Escape');
  // The turn goes on.
  await user.sees('That is all.');
  expect(told()).toContain('The user did not answer.');

  await user.ask('Paint it');
  await isAsked('Which colour?');
  await typist.types('half an ans');
  await running.kill();
  const again = await rig.launch();
  await again.chat.getByRole('button', { name: 'Copy the report' }).first().click();
  const card = new User(again).card('ask_user', 'interrupted');
  await card.waitFor();
  expect(await again.chat.getByRole('region', { name: 'The model asks you' }).count()).toBe(0);
  await again.chat.getByRole('textbox', { name: labels.chat.message }).waitFor();
  expect(await again.chat.title()).not.toMatch(/^\(/);
});
