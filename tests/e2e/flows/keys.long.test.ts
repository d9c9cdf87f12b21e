import { expect, onTestFinished, test } from 'vitest';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import { needKeyring } from '../../fixtures/machine-needs.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { sha256 } from '../../fixtures/scripted-service.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const RIGHT_KEY = 'sk-ant-api03-the-right-one';
const WRONG_KEY = 'sk-ant-api03-a-wrong-one';

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
  await chat.getByLabel(labels.firstRun.anthropicKey).click();
  await chat.keyboard.type(key);
  await chat.getByRole('button', { name: labels.firstRun.testKey }).click();
}

/** Which model answers is said before the next step, without a question about what was just typed. */
async function goesOn(running: RunningApp): Promise<void> {
  const { chat } = running;
  await chat.getByRole('heading', { name: labels.firstRun.connected }).waitFor();
  await chat.getByRole('status').getByText('Claude Sonnet 5.5').waitFor();
  await running.shoot('first-run-connected');
  const next = chat.getByRole('button', { name: labels.firstRun.next });
  await expect.poll(() => next.evaluate((button) => button === document.activeElement)).toBe(true);
  await chat.keyboard.press('Enter');
  await chat.getByRole('heading', { name: labels.firstRun.chooseFolder }).waitFor();
}

async function toModelStep(running: RunningApp): Promise<void> {
  await running.chat.getByRole('button', { name: labels.firstRun.begin }).click();
  await running.chat.getByRole('heading', { name: labels.firstRun.connect }).waitFor();
}

/** What the step says apart from asking for a key. */
const warning = ({ chat }: RunningApp) => chat.locator('form').locator('..').getByRole('status');

test('a wrong key is reported before anything is stored', async (context) => {
  const api = await claude();
  const rig = new AppRig(context, { isFirstRun: true });
  const running = await rig.launch({ env: { ANTHROPIC_BASE_URL: api.url } });
  await toModelStep(running);
  await entersKey(running, WRONG_KEY);
  await running.chat.getByRole('alert').waitFor();
  await running.shoot('first-run-wrong-key');
  expect(api.seenKeys).toEqual([sha256(WRONG_KEY)]);
  expect(await running.chat.getByRole('button', { name: labels.firstRun.next }).count()).toBe(0);
});

test('a key that main did not see typed is asked about where the page cannot answer', async (context) => {
  const api = await claude();
  const running = await new AppRig(context, { isFirstRun: true }).launch({ env: { ANTHROPIC_BASE_URL: api.url } });
  await toModelStep(running);
  await running.chat.getByLabel(labels.firstRun.anthropicKey).fill(RIGHT_KEY);
  await running.chat.getByRole('button', { name: labels.firstRun.testKey }).click();
  const user = new User(running);
  await user.question();
  await running.shoot('key-card');
  await user.answers(labels.consent.confirm);
  await running.chat.getByRole('heading', { name: labels.firstRun.connected }).waitFor();
});

test('without a keychain a key is kept in memory until Steward quits, and the window says so', async (context) => {
  const api = await claude();
  const rig = new AppRig(context, { isFirstRun: true });
  const env = { ANTHROPIC_BASE_URL: api.url };
  const running = await rig.launch({ env });
  await toModelStep(running);
  await warning(running).waitFor();
  await entersKey(running, RIGHT_KEY);
  await goesOn(running);
  await running.close();

  const again = await rig.launch({ env });
  await again.chat.getByRole('button', { name: labels.firstRun.begin }).click();
  await again.chat.getByLabel(labels.firstRun.anthropicKey).waitFor();
});

test('with a real keychain a key is stored there, used after the next start, and never shown again', async (context) => {
  needKeyring(context);
  const api = await claude();
  const rig = new AppRig(context, { isFirstRun: true });
  const env = { ANTHROPIC_BASE_URL: api.url, DBUS_SESSION_BUS_ADDRESS: await rig.startKeychain() };
  const first = await rig.launch({ env });
  await toModelStep(first);
  expect(await warning(first).count()).toBe(0);
  await entersKey(first, RIGHT_KEY);
  await goesOn(first);
  await first.chat.getByRole('button', { name: labels.firstRun.useFolder }).click();
  await first.chat.getByRole('textbox', { name: labels.chat.message }).waitFor();
  await first.close();

  const second = await rig.launch({ env });
  const user = new User(second);
  await user.ask('Hello');
  await user.sees('Hello from Claude.');
  expect(api.seenKeys.at(-1)).toBe(sha256(RIGHT_KEY));
  await user.opensSettings(labels.settings.models);
  await second.shoot('settings-models');
  expect(await second.chat.content()).not.toContain(RIGHT_KEY);
});
