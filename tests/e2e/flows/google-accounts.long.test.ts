import { expect, test, vi } from 'vitest';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import { FixtureGmail } from '../../fixtures/google/gmail-api.ts';
import { browse, startGoogle } from '../../fixtures/google/start-google.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const { accounts: words } = labels;
const SUBJECT = 'Thursday’s review';

/** What the app would have opened in the browser. */
async function catchOpened({ app }: RunningApp): Promise<() => Promise<string[]>> {
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { openedInBrowser: opened });
    shell.openExternal = async (url) => void opened.push(url);
  });
  return () => app.evaluate(() => (globalThis as typeof globalThis & { openedInBrowser: string[] }).openedInBrowser);
}

test('a user enters a client, connects Gmail, reads a mail, and disconnects', async (context) => {
  const gmail = new FixtureGmail();
  gmail.add({ from: 'Grace Hopper <grace@example.org>', subject: SUBJECT, text: 'Can we move it to ten?' });
  const google = await startGoogle({ handlers: [gmail.handler] });
  const rig = new AppRig(context, { config: { endpoints: google.endpoints } });
  const running = await rig.launch();
  const opened = await catchOpened(running);
  const user = new User(running);
  const { chat } = running;

  // The endpoints lead to this machine, so they have to be confirmed first.
  const models = await user.opensSettings(labels.settings.models);
  await models.getByRole('button', { name: 'Confirm…' }).click();
  for (const _endpoint of Object.keys(google.endpoints)) await user.answers(labels.consent.confirm);

  const panel = await user.opensSettings(labels.settings.accounts);
  await panel.getByRole('button', { name: words.setUp('Gmail') }).waitFor();
  await running.shoot('google-no-client');
  for (const [name, value] of [
    ['Google client ID', google.client.id],
    ['Google client secret', google.client.secret],
  ] as const) {
    await panel.getByRole('button', { name: words.addKey(name) }).click();
    await panel.getByLabel(name, { exact: true }).pressSequentially(value);
    await chat.keyboard.press('Enter');
    await user.answers(labels.consent.confirm);
  }

  await panel.getByRole('button', { name: words.connect('Gmail') }).click();
  await (await user.question()).getByText('read your mail').first().waitFor();
  await running.shoot('google-asked');
  await user.answers(labels.consent.confirm);
  // The pressed button is gone, and the keyboard goes on from the one in its place.
  const isFocused = (name: string) =>
    panel.getByRole('button', { name }).evaluate((it) => it === document.activeElement);
  await vi.waitFor(async () => expect(await isFocused(words.cancel('Gmail'))).toBe(true), { timeout: 30_000 });
  await running.shoot('google-waiting');
  await vi.waitFor(async () => expect(await opened()).toHaveLength(1), { timeout: 30_000 });
  expect(await browse((await opened())[0] ?? '')).toContain('You are signed in');
  await panel.getByText('ada@example.com').first().waitFor();
  await vi.waitFor(async () => expect(await isFocused(words.test('Gmail'))).toBe(true), { timeout: 30_000 });
  await running.shoot('google-connected');
  await panel.getByRole('button', { name: words.test('Gmail') }).click();
  await panel.getByText('It works.').first().waitFor();

  await chat.getByRole('button', { name: labels.settings.close }).click();
  await user.ask('/gmail_search {"query":"is:unread"}');
  const found = user.card('gmail_search', 'done');
  await found.getByText(SUBJECT, { exact: true }).waitFor();
  await found.getByRole('link').click();
  await vi.waitFor(async () => expect((await opened()).at(-1)).toMatch(/^https:\/\/mail\.google\.com\//), {
    timeout: 30_000,
  });
  await chat.getByRole('button', { name: labels.chat.outside }).waitFor();
  await running.shoot('google-mail');

  await user.opensSettings(labels.settings.accounts);
  await panel.getByText(/by gmail_search/).waitFor();
  await panel.getByRole('button', { name: words.disconnectAll }).click();
  await chat.getByRole('dialog').getByRole('button', { name: words.confirmAll }).click();
  await panel.getByRole('button', { name: words.connect('Gmail') }).waitFor();
  await expect.poll(() => google.revocations).toHaveLength(1);
});
