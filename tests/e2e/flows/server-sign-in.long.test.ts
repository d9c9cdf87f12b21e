import type { Locator } from 'playwright';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import { needKeyring, needLinux } from '../../fixtures/machine-needs.ts';
import { browse, startAuthorization } from '../../fixtures/mcp/authorization.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { SystemBrowser } from '../../fixtures/system-browser.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

const { servers: words } = labels;
const READ: ScriptedTurn = { blocks: [{ type: 'tool_use', name: 'notes__read_note', input: {} }] };

/** The window at the page of a server that needs a sign-in, once the user has confirmed its entry in config.json. */
async function atServer(context: TestContext, turns: readonly ScriptedTurn[] = []) {
  needLinux(context, 'elsewhere the system opens its browser in another way');
  needKeyring(context);
  const service = await startAuthorization();
  const api = await startMessagesApi({ turns });
  onTestFinished(() => api.close());
  const rig = new AppRig(context, { api: api.url, config: { mcpServers: { notes: { url: service.url } } } });
  const browser = new SystemBrowser(rig);
  const running = await rig.launch({
    env: { ...browser.env, DBUS_SESSION_BUS_ADDRESS: await rig.startKeychain() },
  });
  const user = new User(running);
  await running.chat.getByRole('button', { name: labels.chat.reviewSettings, exact: true }).first().click();
  await user.answers(labels.consent.confirm);
  const panel = await user.opensSettings(labels.settings.servers);
  await panel.getByRole('button', { name: 'notes', exact: true }).click();
  const button = (name: string): Locator => panel.getByRole('button', { name });
  await button(words.signIn('notes')).waitFor();
  return { service, api, rig, browser, running, user, panel, button, chat: running.chat };
}

type Window = Awaited<ReturnType<typeof atServer>>;

/** Up to the browser, which is out then. */
async function beginsSignIn({ button, user, browser }: Window, name = words.signIn('notes')): Promise<string> {
  const before = browser.opened.length;
  await button(name).click();
  await user.answers(labels.consent.confirm);
  return browser.opens(before + 1);
}

test('a user signs in to a server, uses it, signs out, and signs in again from the card of a call', async (context) => {
  const window = await atServer(context, [
    READ,
    { text: 'Read it.' },
    READ,
    { text: 'Not now.' },
    READ,
    { text: 'There.' },
  ]);
  const { service, running, user, panel, button, browser } = window;
  await running.shoot('sign-in-needed');
  await button(words.signIn('notes')).click();
  await (await user.question()).getByText(service.issuer).waitFor();
  await running.shoot('sign-in-question');
  expect(browser.opened).toEqual([]);
  await user.answers(labels.consent.confirm);
  const address = await browser.opens();
  expect(address.startsWith(`${service.issuer}/authorize?`)).toBe(true);
  await button(words.cancelSignIn('notes')).waitFor();
  await running.shoot('sign-in-browser');
  expect(await browse(address)).toContain('You are signed in');
  await (await user.question()).getByText('read_note').first().waitFor();
  await running.shoot('sign-in-review');
  await user.answers(labels.consent.confirm);
  await button(words.signOut('notes')).waitFor();
  await panel.getByRole('article', { name: 'read_note', exact: true }).waitFor();
  await running.shoot('sign-in-done');

  await user.closesSettings();
  await user.ask('Read the note');
  await user.answers(labels.consent.allowOnce);
  await user.sees('Read it.');
  await running.shoot('sign-in-called');

  // The service forgets everything.
  service.forgetAll();
  await user.ask('Read it again');
  await user.answers(labels.consent.allowOnce);
  await user.sees('Not now.');
  await user.waits();
  await running.shoot('sign-in-card');
  const card = user.card('notes__read_note', 'failed');
  await card.getByRole('button', { name: labels.chat.signIn }).click();
  expect(await browse(await beginsSignIn(window))).toContain('You are signed in');
  await button(words.signOut('notes')).waitFor();
  await user.closesSettings();
  await running.shoot('sign-in-card-after');
  await card.getByRole('button', { name: labels.chat.tryCallAgain }).click();
  await user.answers(labels.consent.allowOnce);
  await user.sees('There.');
  await running.shoot('sign-in-went-on');
});

test('a resource tool, an attached resource and a prompt lead to the sign-in that they lack', async (context) => {
  const call = (name: string, input: object): ScriptedTurn => ({ blocks: [{ type: 'tool_use', name, input }] });
  const window = await atServer(context, [
    call('list_mcp_resources', {}),
    call('read_mcp_resource', { server: 'notes', uri: 'note://today' }),
    { text: 'Both failed.' },
    { text: 'I see the note.' },
  ]);
  const { api, service, running, user, button, chat } = window;
  const { keyboard } = chat;
  const signIn = labels.chat.signIn;
  const signsIn = async ({ isFirst = false } = {}) => {
    expect(await browse(await beginsSignIn(window))).toContain('You are signed in');
    // What it says of its tools.
    if (isFirst) await user.answers(labels.consent.confirm);
    await button(words.signOut('notes')).waitFor();
    await user.closesSettings();
  };

  // Nobody has signed in yet.
  await user.closesSettings();
  await user.ask('What is in my notes?');
  await user.answers(labels.consent.allowOnce);
  await user.answers(labels.consent.allowOnce);
  await user.sees('Both failed.');
  await user.waits();
  await user.card('read_mcp_resource', 'failed').getByRole('button', { name: signIn }).waitFor();
  await running.shoot('sign-in-resource-tools');
  await user.ask('/notes/plan');
  const toast = chat.getByRole('alert').getByRole('button', { name: signIn });
  await toast.waitFor();
  await running.shoot('sign-in-unlisted-prompt');
  await toast.click();
  await signsIn({ isFirst: true });

  // The service forgets it while a resource is attached.
  await chat.getByRole('textbox', { name: labels.chat.message }).fill('');
  await user.writes('What does @today');
  await chat.getByRole('option', { selected: true }).getByText('today').first().waitFor();
  await keyboard.press('Enter');
  const chips = chat.getByRole('list', { name: labels.chat.attachments });
  await chips.getByText('today').waitFor();
  await keyboard.type('say?');
  service.forgetAll();
  await keyboard.press('Enter');
  await toast.waitFor();
  await running.shoot('sign-in-attachment');
  await toast.click();
  await signsIn();
  // Nothing of the message is lost.
  await chips.getByText('today').waitFor();
  await chat.getByRole('textbox', { name: labels.chat.message }).press('Enter');
  await user.sees('I see the note.');
  await user.waits();

  await user.writes('/notes/plan');
  await chat.getByRole('option', { selected: true }).getByText('notes/plan').waitFor();
  service.forgetAll();
  await keyboard.press('Enter');
  const form = chat.getByRole('form');
  await form.getByRole('button', { name: signIn }).waitFor();
  await running.shoot('sign-in-prompt');
  await form.getByRole('button', { name: signIn }).click();
  await signsIn();
  expect(api.requests).toHaveLength(4);
});

test('a sign-in that is cancelled in the app, denied in the browser, or runs out leaves the user where they can try again', async (context) => {
  const window = await atServer(context);
  const { service, running, button, panel, browser } = window;
  const cancelled = await beginsSignIn(window);
  await button(words.cancelSignIn('notes')).click();
  await button(words.signIn('notes')).waitFor();
  expect(await panel.getByRole('alert').count()).toBe(0);
  await running.shoot('sign-in-cancelled');
  // Nobody listens any more.
  await expect(browse(cancelled)).rejects.toThrow();

  service.behaviour.denies = true;
  expect(await browse(await beginsSignIn(window))).toContain('You are not signed in');
  await button(words.trySignIn('notes')).waitFor();
  await panel.getByRole('alert').waitFor();
  await running.shoot('sign-in-denied');
  service.behaviour.denies = false;

  const late = await beginsSignIn(window, words.trySignIn('notes'));
  await button(words.cancelSignIn('notes')).waitFor();
  // The machine's clock, as after a sleep.
  await running.app.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() + 6 * 60_000;
  });
  await button(words.trySignIn('notes')).waitFor();
  await running.shoot('sign-in-expired');
  await expect(browse(late)).rejects.toThrow();
  expect(browser.opened).toHaveLength(3);

  expect(await browse(await beginsSignIn(window, words.trySignIn('notes')))).toContain('You are signed in');
  await button(words.signOut('notes')).click();
  await button(words.signIn('notes')).waitFor();
  await running.shoot('sign-in-signed-out');
  expect(service.requests).toContain('POST as/revoke');
});
