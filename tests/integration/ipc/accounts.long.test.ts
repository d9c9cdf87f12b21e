import { expect, test, vi } from 'vitest';
import type { Account } from '../../../src-preload/contract/accounts.ts';
import type { SettingsView } from '../../../src-preload/contract/settings.ts';
import { FixtureGmail } from '../../fixtures/google/gmail-api.ts';
import { browse, type GoogleFixture, startGoogle } from '../../fixtures/google/start-google.ts';
import { SOON, WindowRig } from '../../fixtures/window-rig.ts';

const yes = { answer: 'once' };
const gmail = { name: 'gmail' };
const SEARCH = '/gmail_search {"query":"is:unread"}';

async function rigWith(google: GoogleFixture, env: Readonly<Record<string, string>> = google.env): Promise<WindowRig> {
  const rig = new WindowRig({ config: { endpoints: google.endpoints }, env });
  await rig.request('settings.get');
  const confirming = rig.request('settings.confirmPending');
  for (const _endpoint of Object.keys(google.endpoints)) await rig.answer(yes);
  await confirming;
  return rig;
}

async function connect(rig: WindowRig, name: Account['name']): Promise<Account> {
  const before = rig.opened.length;
  const connecting = rig.request<Account>('accounts.connect', { name });
  await rig.answer(yes);
  await vi.waitFor(() => expect(rig.opened).toHaveLength(before + 1), SOON);
  await browse(rig.opened.at(-1) ?? '');
  return connecting;
}

test('a user connects from the window, is asked what for, and can disconnect', async () => {
  const google = await startGoogle();
  const rig = await rigWith(google);
  expect(await rig.request('accounts.list')).toMatchObject([
    { name: 'gmail', state: 'not_connected', address: null, step: null, problem: null },
    { name: 'calendar', state: 'not_connected' },
  ]);
  const connecting = rig.request<Account>('accounts.connect', gmail);
  const card = await rig.card();
  expect(card).toMatchObject({ kind: 'grant', title: 'Connect Gmail?' });
  // There is no keychain in this session, which is said before it starts.
  for (const shown of [google.url, 'Read your mail', 'Send mail as you', 'Until Steward quits'])
    expect(JSON.stringify(card.parts)).toContain(shown);
  expect(rig.opened).toEqual([]);
  await rig.answer(yes, card);
  await vi.waitFor(() => expect(rig.opened).toHaveLength(1), SOON);
  expect(await rig.request('accounts.list')).toMatchObject([{ step: 'browser' }, { step: null }]);
  expect(await browse(rig.opened[0] ?? '')).toContain('You are signed in');
  const account = await connecting;
  expect(account).toMatchObject({ state: 'connected', address: 'ada@example.com', keptIn: 'memory', problem: null });
  expect(account.scopes).toHaveLength(2);
  expect(Date.parse(account.tokenExpiresAt ?? '')).toBeGreaterThan(Date.now());
  expect(rig.events.some(({ name }) => name === 'accountsChanged')).toBe(true);
  expect(await rig.request('accounts.test', gmail)).toMatchObject({ problem: null });

  await connect(rig, 'calendar');
  expect(await rig.request('accounts.disconnect', gmail)).toMatchObject([
    { name: 'gmail', state: 'not_connected' },
    { name: 'calendar', state: 'connected' },
  ]);
  expect(google.revocations).toEqual([]);
  expect(await rig.request('accounts.disconnectAll')).toMatchObject([
    { state: 'not_connected' },
    { state: 'not_connected' },
  ]);
  expect(google.revocations).toHaveLength(1);
});

test('declining opens nothing, and a sign-in in progress can be cancelled', async () => {
  const google = await startGoogle();
  const rig = await rigWith(google);
  const declined = rig.request<Account>('accounts.connect', gmail);
  await rig.answer({ answer: 'deny' });
  expect((await declined).problem?.code).toBe('not_confirmed');
  expect(rig.opened).toEqual([]);

  const waiting = rig.request<Account>('accounts.connect', gmail);
  await rig.answer(yes);
  await vi.waitFor(() => expect(rig.opened).toHaveLength(1), SOON);
  await rig.request('accounts.cancelConnect', gmail);
  expect((await waiting).problem?.code).toBe('cancelled');
  const asking = rig.request<Account>('accounts.connect', gmail);
  await rig.card();
  await rig.request('accounts.cancelConnect', gmail);
  expect((await asking).problem?.code).toBe('cancelled');
  await vi.waitFor(() => expect(rig.isConsentShown).toBe(false), SOON);
});

test('a client is checked when it is entered, and another one ends the sign-ins after saying so', async () => {
  const google = await startGoogle();
  const rig = await rigWith(google, {});
  const id = { name: 'google-client-id', value: google.client.id };
  expect(await rig.request('accounts.list')).toMatchObject([{ state: 'no_client' }, { state: 'no_client' }]);
  expect(await rig.code('settings.setKey', { ...id, value: google.client.secret })).toBe('unlikely_key');
  expect(await rig.code('settings.setKey', { ...id, name: 'google-client-secret' })).toBe('unlikely_key');
  await rig.setKey(id.name, id.value);
  await rig.setKey('google-client-secret', google.client.secret);
  expect(await rig.request('accounts.list')).toMatchObject([{ state: 'not_connected' }, { state: 'not_connected' }]);
  await connect(rig, 'gmail');

  const other = `9${google.client.id}`;
  const declined = rig.code('settings.setKey', { ...id, value: other });
  const card = await rig.answer({ answer: 'deny' });
  for (const shown of [other, 'Gmail (ada@example.com)']) expect(JSON.stringify(card.parts)).toContain(shown);
  expect(await declined).toBe('not_confirmed');
  expect(await rig.request('accounts.list')).toMatchObject([{ state: 'connected' }, {}]);
  await rig.setKey(id.name, other);
  expect(await rig.request('accounts.list')).toMatchObject([{ state: 'not_connected' }, {}]);
  // The sign-in is gone, not only hidden.
  await rig.setKey(id.name, id.value);
  expect(await rig.request('accounts.list')).toMatchObject([{ state: 'not_connected' }, {}]);
  await rig.request<SettingsView>('settings.removeKey', { name: 'google-client-secret' });
  expect(await rig.request('accounts.list')).toMatchObject([{ state: 'no_client' }, {}]);
});

test('a sign-in that is kept after its client was removed is shown, and Google is told when it is disconnected', async () => {
  const google = await startGoogle();
  const rig = await rigWith(google, { GOOGLE_CLIENT_SECRET: google.client.secret });
  await rig.setKey('google-client-id', google.client.id);
  await connect(rig, 'gmail');
  expect(await rig.request('accounts.list')).toMatchObject([{ disconnecting: 'revoke' }, { disconnecting: null }]);
  await connect(rig, 'calendar');
  expect(await rig.request('accounts.list')).toMatchObject([{ disconnecting: 'delete' }, { disconnecting: 'delete' }]);
  await rig.request('settings.removeKey', { name: 'google-client-id' });
  const unused = { state: 'no_client', address: 'ada@example.com', disconnecting: 'delete' };
  expect(await rig.request('accounts.list')).toMatchObject([unused, unused]);
  await rig.request('accounts.disconnect', gmail);
  expect(google.revocations).toEqual([]);
  expect(await rig.request('accounts.disconnect', { name: 'calendar' })).toMatchObject([
    { state: 'no_client', disconnecting: null },
    { state: 'no_client', disconnecting: null },
  ]);
  expect(google.revocations).toHaveLength(1);
});

test('only another client id ends sign-ins, and its question names them where no client is set either', async () => {
  const google = await startGoogle();
  const otherId = `9${google.client.id}`;
  const rig = await rigWith(google, { ...google.env, GOOGLE_CLIENT_ID: otherId });
  const id = { name: 'google-client-id', value: google.client.id };
  await rig.setKey(id.name, id.value);
  await connect(rig, 'gmail');
  // Now the client of the environment counts.
  await rig.request('settings.removeKey', { name: id.name });
  await rig.setKey('brave-api-key', 'BSA0123456789abcdefghijklmno');
  await rig.setKey('google-client-secret', google.client.secret);
  await rig.setKey(id.name, id.value);
  expect(await rig.request('accounts.list')).toMatchObject([{ state: 'connected' }, {}]);

  await rig.close();
  const withoutClient = await rigWith(google, { GOOGLE_CLIENT_ID: google.client.id });
  await withoutClient.setKey('google-client-secret', google.client.secret);
  await connect(withoutClient, 'gmail');
  await withoutClient.request('settings.removeKey', { name: 'google-client-secret' });
  const declined = withoutClient.code('settings.setKey', { ...id, value: otherId });
  const card = await withoutClient.answer({ answer: 'deny' });
  expect(JSON.stringify(card.parts)).toContain('Gmail (ada@example.com)');
  expect(await declined).toBe('not_confirmed');
  await withoutClient.setKey(id.name, otherId);
  await withoutClient.request('settings.removeKey', { name: id.name });
  await withoutClient.setKey('google-client-secret', google.client.secret);
  expect(await withoutClient.request('accounts.list')).toMatchObject([{ state: 'not_connected' }, {}]);
});

test('the first call asks for the sign-in and goes on after it; a declined sign-in is its error', async () => {
  const gmail = new FixtureGmail();
  gmail.add({ from: 'Bob <bob@example.com>', subject: 'Lunch' });
  const google = await startGoogle({ handlers: [gmail.handler] });
  const rig = await rigWith(google);
  const declined = rig.turn(SEARCH);
  const first = await rig.card();
  expect(JSON.stringify(first.parts)).toContain('gmail_search');
  await rig.answer({ answer: 'deny' }, first);
  const { id, events } = await declined;
  expect(events.find(({ type }) => type === 'tool_result')).toMatchObject({ outcome: 'failed' });
  expect([rig.opened, google.requests]).toEqual([[], []]);

  // It does not ask again by itself.
  const { events: again } = await rig.turn(SEARCH, id);
  expect(again.find(({ type }) => type === 'tool_result')).toMatchObject({
    text: expect.stringContaining('Settings'),
  });
  await connect(rig, 'gmail');
  const { events: found } = await rig.turn(SEARCH, id);
  expect(found.find(({ type }) => type === 'tool_result')).toMatchObject({
    outcome: 'completed',
    text: expect.stringContaining('Subject: Lunch'),
  });
  const [account] = await rig.request<readonly Account[]>('accounts.list');
  expect(account?.lastUsed?.tool).toBe('gmail_search');
});

test('while the browser is open, the call says where to continue', async () => {
  const google = await startGoogle({ handlers: [new FixtureGmail().handler] });
  const rig = await rigWith(google);
  const searching = rig.turn(SEARCH);
  await rig.answer(yes);
  await vi.waitFor(() => expect(rig.opened).toHaveLength(1), SOON);
  await browse(rig.opened[0] ?? '');
  const { events } = await searching;
  const said = events.filter(({ type }) => type === 'tool_output');
  expect(said).toMatchObject([{ chunk: expect.stringContaining('browser') }]);
  expect(events.find(({ type }) => type === 'tool_result')).toMatchObject({ outcome: 'completed' });
});

test('the tools come and go with the client, without a restart', async () => {
  const google = await startGoogle();
  const rig = await rigWith(google, {});
  const offered = async () => {
    const { tools } = await rig.request<SettingsView>('settings.get');
    return tools.some(({ name, needs }) => name === 'gmail_search' && needs === undefined);
  };
  await rig.setKey('google-client-id', google.client.id);
  expect(await offered()).toBe(false);
  await rig.setKey('google-client-secret', google.client.secret);
  expect(await offered()).toBe(true);
  await rig.request('settings.removeKey', { name: 'google-client-id' });
  expect(await offered()).toBe(false);
});

test('a sign-in that Google no longer accepts is shown as lapsed, also after a restart, until there is a new one', async () => {
  const google = await startGoogle();
  const rig = await rigWith(google);
  await connect(rig, 'gmail');
  google.forgetAll();
  const lapsed = { state: 'lapsed', disconnecting: null, address: null, problem: { code: 'sign_in_ended' } };
  expect(await rig.request('accounts.test', gmail)).toMatchObject(lapsed);
  await rig.close();
  const later = new WindowRig({ like: rig, env: google.env });
  expect(await later.request('accounts.list')).toMatchObject([lapsed, { state: 'not_connected', problem: null }]);
  const connecting = later.request<Account>('accounts.connect', gmail);
  expect(JSON.stringify((await later.card()).parts)).toContain('Why again');
  await later.answer(yes);
  await vi.waitFor(() => expect(later.opened).toHaveLength(1), SOON);
  await browse(later.opened[0] ?? '');
  expect(await connecting).toMatchObject({ state: 'connected', problem: null });
});

test('a mail is opened in the connected mailbox, without a question', async () => {
  const rig = await rigWith(await startGoogle());
  const open = () =>
    rig.request('conversations.openLink', { id: null, url: 'https://mail.google.com/mail/#all/18c2f0a1b2c3d4e5' });
  await open();
  await connect(rig, 'gmail');
  await open();
  expect(rig.opened.filter((url) => url.startsWith('https://mail.google.com/'))).toEqual([
    'https://mail.google.com/mail/#all/18c2f0a1b2c3d4e5',
    'https://mail.google.com/mail/u/?authuser=ada%40example.com#all/18c2f0a1b2c3d4e5',
  ]);
});
