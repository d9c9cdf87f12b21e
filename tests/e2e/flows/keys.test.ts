import { expect, onTestFinished, test } from 'vitest';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import { needKeyring } from '../../fixtures/machine-needs.ts';
import { sha256, startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { Person } from '../../fixtures/window-person.ts';

const RIGHT_KEY = 'sk-ant-api03-the-right-one';

async function claude() {
  const api = await startMessagesApi({
    validKeys: [RIGHT_KEY],
    turns: [{ text: 'Hello from Claude.' }],
    afterLast: 'repeat',
  });
  onTestFinished(() => api.close());
  return api;
}

async function entersKey({ chat }: RunningApp, key: string): Promise<void> {
  await chat.getByLabel('Anthropic API key').fill(key);
  await chat.getByRole('button', { name: 'Test and save' }).click();
}

/** A key that works is stored once the person confirmed it where the page cannot. */
async function confirmsKey(running: RunningApp): Promise<void> {
  const person = new Person(running);
  await person.question();
  await running.shoot('key-card');
  await person.answers('Confirm');
}

async function toModelStep(running: RunningApp): Promise<void> {
  await running.chat.getByRole('button', { name: 'Set up Steward' }).click();
  await running.chat.getByRole('heading', { name: 'Connect a model' }).waitFor();
}

test('a wrong key is said to be wrong, before anything is stored', async (context) => {
  const api = await claude();
  const rig = new AppRig(context, { isFirstRun: true });
  const running = await rig.launch({ env: { ANTHROPIC_BASE_URL: api.url } });
  await toModelStep(running);
  await entersKey(running, 'sk-ant-api03-a-wrong-one');
  await running.chat.getByText('does not accept this key').waitFor();
  await running.shoot('first-run-wrong-key');
  expect(await running.chat.getByText('Claude is connected.').count()).toBe(0);
});

test('without a keychain a key is kept in memory until Steward quits, and the window says so', async (context) => {
  const api = await claude();
  const rig = new AppRig(context, { isFirstRun: true });
  const env = { ANTHROPIC_BASE_URL: api.url };
  const running = await rig.launch({ env });
  await toModelStep(running);
  await running.chat.getByText('No keychain can be used on this system').waitFor();
  await entersKey(running, RIGHT_KEY);
  await confirmsKey(running);
  await running.chat.getByRole('heading', { name: 'Choose a folder' }).waitFor();
  await running.close();

  const again = await rig.launch({ env });
  await again.chat.getByRole('button', { name: 'Set up Steward' }).click();
  await again.chat.getByLabel('Anthropic API key').waitFor();
});

test('with a real keychain a key is stored there, used after the next start, and never shown again', async (context) => {
  needKeyring(context);
  const api = await claude();
  const rig = new AppRig(context, { isFirstRun: true });
  const env = { ANTHROPIC_BASE_URL: api.url, DBUS_SESSION_BUS_ADDRESS: await rig.startKeychain() };
  const first = await rig.launch({ env });
  await toModelStep(first);
  await entersKey(first, RIGHT_KEY);
  await confirmsKey(first);
  await first.chat.getByRole('heading', { name: 'Choose a folder' }).waitFor();
  await first.chat.getByRole('button', { name: 'Back' }).click();
  await first.chat.getByText('Claude is connected.').waitFor();
  await first.shoot('first-run-connected');
  await first.chat.getByRole('button', { name: 'Continue' }).click();
  await first.chat.getByRole('button', { name: 'Use this folder' }).click();
  await first.chat.getByRole('textbox', { name: 'Message' }).waitFor();
  await first.close();

  const second = await rig.launch({ env });
  const person = new Person(second);
  await person.ask('Hello');
  await person.sees('Hello from Claude.');
  expect(api.seenKeys.at(-1)).toBe(sha256(RIGHT_KEY));
  await person.opensSettings('Models and keys');
  await second.shoot('settings-models');
  expect(await second.chat.content()).not.toContain(RIGHT_KEY);
});
