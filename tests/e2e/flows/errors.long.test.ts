import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const BILLING = 'https://platform.claude.com/settings/billing';

/** Addresses that the app hands to the system from now on, instead of opening them. */
async function watchesBrowser({ app }: RunningApp): Promise<() => Promise<readonly string[]>> {
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = async (url) => void opened.push(url);
  });
  return () => app.evaluate(() => (globalThis as unknown as { opened: readonly string[] }).opened);
}

async function withErrors(context: TestContext, ...errors: ScriptedTurn['error'][]) {
  const api = await startMessagesApi({ turns: errors.map((error) => ({ error })) });
  onTestFinished(() => api.close());
  const running = await new AppRig(context, { api: api.url }).launch();
  return { running, user: new User(running), chat: running.chat };
}

/** Presses a button with the mouse, as a user does. */
async function presses({ chat }: RunningApp, code: string, name: string): Promise<void> {
  const error = chat.getByRole('log').locator(`[data-code="${code}"]`).last();
  const box = await error.getByRole('button', { name, exact: true }).boundingBox();
  if (box === null) throw new Error(`${name} is not in view`);
  await chat.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await chat.mouse.down();
  await chat.mouse.up();
}

test('a refused key leads to the keys, an empty account to its billing page, and addresses are links', async (context) => {
  const { running, user, chat } = await withErrors(
    context,
    { status: 401, message: 'invalid x-api-key' },
    { status: 402, message: 'billing' },
  );
  const opened = await watchesBrowser(running);
  await user.ask('hello');
  await user.notice('wrong_key').waitFor();
  await running.shoot('error-wrong-key');
  await presses(running, 'wrong_key', labels.chat.openSettings);
  await chat.getByRole('tab', { name: labels.settings.models, selected: true }).waitFor();
  await user.closesSettings();

  await user.ask('once more');
  await user.notice('no_credit').waitFor();
  await running.shoot('error-no-credit');
  // An error loses its buttons once another one follows it.
  expect(await user.notice('wrong_key').getByRole('button').count()).toBe(0);
  await presses(running, 'no_credit', labels.chat.billing);
  await expect.poll(opened).toEqual([BILLING]);
  await user.notice('no_credit').getByRole('link', { name: BILLING }).click();
  await expect.poll(opened).toEqual([BILLING, BILLING]);
});

test('an unreachable service configured in config.json offers the folder with config.json', async (context) => {
  const api = await startMessagesApi({ turns: [] });
  await api.close();
  const rig = new AppRig(context, { api: api.url });
  const running = await rig.launch();
  const user = new User(running);
  await user.ask('hello');
  const failure = user.notice('offline');
  await failure.waitFor({ timeout: 60_000 });
  await presses(running, 'offline', labels.chat.openSettings);
  await running.chat.getByRole('tab', { name: labels.settings.data, selected: true }).waitFor();
});

test('the folder above the messages leads to the folders', async (context) => {
  const running = await new AppRig(context).launch();
  const { chat } = running;
  const box = await chat.getByRole('button', { name: labels.chat.workspace }).boundingBox();
  if (box === null) throw new Error('the folder is not in view');
  await chat.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await chat.getByRole('tooltip').waitFor();
  await chat.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await chat.getByRole('tab', { name: labels.settings.folders, selected: true }).waitFor();
});

test('a message may begin with a path; an unknown command stays in the message field', async (context) => {
  const running = await new AppRig(context).launch();
  const { chat } = running;
  const user = new User(running);
  const message = chat.getByRole('textbox', { name: labels.chat.message });
  await user.ask('/etc/hosts what is this?');
  await user.waits();
  await user.sees('/etc/hosts what is this?');
  expect(await message.inputValue()).toBe('');

  for (const draft of ['/get_tmie please', '/new thing']) {
    await user.ask(draft);
    await chat
      .getByRole('region', { name: 'Messages' })
      .getByText(draft.split(' ')[0] ?? '')
      .waitFor();
    await running.shoot('unknown-command');
    expect(await message.inputValue()).toBe(draft);
    await message.fill('');
  }
});
