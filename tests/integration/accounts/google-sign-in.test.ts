import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FileLock } from '../../../src-main/base/file-lock.ts';
import { googleErrors } from '../../fixtures/google/google-errors.ts';
import { googleRig, outcome } from '../../fixtures/google/google-rig.ts';
import { browse, startGoogle } from '../../fixtures/google/start-google.ts';
import { MapKeychain } from '../../fixtures/keyring/map-keychain.ts';

const AUTH = 'https://www.googleapis.com/auth/';
const SOON = { timeout: 30_000, interval: 10 };

/** Whether something still listens where the browser was to come back to. */
async function isOpen(authorization: URLSearchParams | undefined): Promise<boolean> {
  const back = new URL(authorization?.get('redirect_uri') ?? '');
  return fetch(back).then(
    () => true,
    () => false,
  );
}

test('a user is asked, signs in in the browser, and each service has a grant of its own', async () => {
  const google = await startGoogle();
  const rig = googleRig(google);
  await rig.signIns.connect('gmail');
  expect(rig.questions).toEqual([{ service: 'gmail', tool: undefined, signInAt: google.url }]);
  expect(await rig.pages[0]).toContain('You are signed in');
  const [asked] = google.authorizations;
  expect(Object.fromEntries(asked ?? [])).toMatchObject({
    client_id: google.client.id,
    response_type: 'code',
    code_challenge_method: 'S256',
    access_type: 'offline',
    prompt: 'consent',
    include_granted_scopes: 'false',
    scope: `${AUTH}gmail.readonly ${AUTH}gmail.send`,
  });
  expect(asked?.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  expect(google.tokenRequests[0]).toMatchObject({ grant_type: 'authorization_code' });
  expect(google.tokenRequests[0]?.code_verifier).toMatch(/^[\w.~-]{43,128}$/);
  expect(rig.record('gmail')).toMatchObject({
    address: 'ada@example.com',
    scopes: [`${AUTH}gmail.readonly`, `${AUTH}gmail.send`],
  });
  expect(rig.record('calendar')).toBeUndefined();
  expect(google.scopesOf(await rig.token('gmail'))).toHaveLength(2);
  expect(await isOpen(asked)).toBe(false);

  await rig.signIns.connect('calendar');
  expect(google.authorizations[1]?.get('scope')).toBe(`${AUTH}calendar`);
  expect(rig.record('calendar')).toMatchObject({ address: 'ada@example.com', scopes: [`${AUTH}calendar`] });
});

test('a call without a sign-in asks why, and calls at the same time share question and browser', async () => {
  const google = await startGoogle();
  const rig = googleRig(google);
  const tokens = await Promise.all([rig.token('gmail'), rig.token('gmail'), rig.token('gmail')]);
  expect(new Set(tokens).size).toBe(1);
  expect(rig.questions).toEqual([{ service: 'gmail', tool: 'gmail_tool', signInAt: google.url }]);
  expect(rig.pages).toHaveLength(1);
});

test('a declined sign-in opens no browser, and the next call does not ask again, but the user can connect', async () => {
  const google = await startGoogle();
  let answer = false;
  const asked: string[] = [];
  const rig = googleRig(google, {
    confirm: async (service) => {
      asked.push(service);
      return answer;
    },
  });
  expect(await outcome(rig.token('gmail'))).toBe('not_confirmed');
  expect(await outcome(rig.token('gmail'))).toBe('declined_before');
  expect([asked, rig.pages]).toEqual([['gmail'], []]);
  answer = true;
  await rig.signIns.connect('gmail');
  expect(await outcome(rig.token('gmail'))).toBe('ok');
});

test('without anyone to ask, a call says so and nothing is opened', async () => {
  const google = await startGoogle();
  const rig = googleRig(google, { openBrowser: undefined });
  expect(await outcome(rig.token('gmail'))).toBe('needs_sign_in');
  await rig.signIns.test('gmail');
  expect(rig.signIns.progress('gmail').problem).toMatchObject({ takesFlag: true });
  expect([rig.questions, google.requests]).toEqual([[], []]);
});

test('consent that is denied, in the browser or in part, leaves no record and says what is missing', async () => {
  const google = await startGoogle();
  const rig = googleRig(google);
  google.behaviour.denies = true;
  expect(await outcome(rig.signIns.connect('gmail'))).toBe('denied');
  expect(await rig.pages[0]).toContain('Access was denied');
  google.behaviour.denies = false;
  google.behaviour.unticked = [`${AUTH}gmail.send`];
  expect(await outcome(rig.signIns.connect('gmail'))).toBe('scopes_not_granted');
  expect(await rig.pages[1]).toContain('did not work');
  expect(rig.signIns.progress('gmail').problem).toEqual({ code: 'scopes_not_granted', scopes: [`${AUTH}gmail.send`] });
  expect(rig.record('gmail')).toBeUndefined();
  // Nothing is left at Google either.
  expect(google.revocations).toHaveLength(1);
  for (const asked of google.authorizations) expect(await isOpen(asked)).toBe(false);

  google.behaviour.unticked = [];
  await rig.signIns.connect('gmail');
  google.behaviour.unticked = [`${AUTH}calendar`];
  expect(await outcome(rig.signIns.connect('calendar'))).toBe('scopes_not_granted');
  // Revoking would end the sign-in to Gmail too.
  expect(google.revocations).toHaveLength(1);
});

test('a browser that never comes back, a cancelled sign-in and a quit leave nothing open', async () => {
  const google = await startGoogle();
  const opened: string[] = [];
  const openBrowser = async (url: string) => void opened.push(url);
  const redirectOf = (url: string | undefined) => new URL(url ?? '').searchParams;
  const expiring = googleRig(google, { openBrowser, receiver: { lifeMs: 50 } });
  expect(await outcome(expiring.signIns.connect('gmail'))).toBe('expired');

  const cancelled = googleRig(google, { openBrowser });
  const connecting = cancelled.signIns.connect('gmail');
  await vi.waitFor(() => expect(opened).toHaveLength(2), SOON);
  expect(cancelled.signIns.progress('gmail').step).toBe('browser');
  expect(await isOpen(redirectOf(opened[1]))).toBe(true);
  cancelled.signIns.cancel('gmail');
  expect(await outcome(connecting)).toBe('cancelled');

  const quitting = googleRig(google, { openBrowser });
  const waiting = quitting.signIns.connect('gmail');
  await vi.waitFor(() => expect(opened).toHaveLength(3), SOON);
  await quitting.signIns.close();
  expect(await outcome(waiting)).toBe('cancelled');
  for (const url of opened) expect(await isOpen(redirectOf(url))).toBe(false);
  expect(google.tokenRequests).toEqual([]);
});

test('a sign-in expires after five minutes even if the machine slept', async () => {
  const google = await startGoogle();
  let slept = 0;
  const clocks = { wall: () => Date.now() + slept, steady: () => performance.now() };
  const rig = googleRig(google, {
    receiver: { clocks },
    openBrowser: async (url) => {
      slept = 5 * 60_000;
      rig.pages.push(browse(url));
    },
  });
  expect(await outcome(rig.signIns.connect('gmail'))).toBe('expired');
  expect(await rig.pages[0]).toContain('did not work');
  expect(google.tokenRequests).toEqual([]);
});

test('a sign-in that is cancelled while its code is exchanged is not kept', async () => {
  const google = await startGoogle();
  google.behaviour.tokenDelayMs = 300;
  const rig = googleRig(google);
  const connecting = rig.signIns.connect('gmail');
  await vi.waitFor(() => expect(google.tokenRequests).toHaveLength(1), SOON);
  expect(rig.signIns.progress('gmail').step).toBe('finishing');
  rig.signIns.cancel('gmail');
  expect(await outcome(connecting)).toBe('cancelled');
  expect(rig.record('gmail')).toBeUndefined();
  expect(await rig.pages[0]).toContain('did not work');
});

test('a sign-in that is refused in part leaves the one before it as it was', async () => {
  const google = await startGoogle();
  const rig = googleRig(google);
  await rig.signIns.connect('gmail');
  const before = rig.record('gmail');
  google.behaviour.unticked = [`${AUTH}gmail.send`];
  expect(await outcome(rig.signIns.connect('gmail'))).toBe('scopes_not_granted');
  expect([rig.record('gmail'), google.revocations]).toEqual([before, []]);
  expect(google.scopesOf(await rig.token('gmail'))).toHaveLength(2);
});

test('an account that is disconnected while its sign-in finishes stays disconnected', async () => {
  const google = await startGoogle();
  const rig = googleRig(google);
  const keys = vi.spyOn(rig.keychain, 'set');
  const lock = new FileLock(join(rig.locksFolder, 'google-gmail.lock'));
  lock.tryExclusive();
  const connecting = rig.signIns.connect('gmail');
  await vi.waitFor(() => expect(google.requests.at(-1)).toBe('GET /gmail/v1/users/me/profile'), SOON);
  const disconnecting = rig.signIns.disconnect('gmail');
  lock.close();
  expect(await outcome(connecting)).toBe('cancelled');
  await disconnecting;
  expect([rig.record('gmail'), keys.mock.calls]).toEqual([undefined, []]);
  // What Google has granted meanwhile does not stay valid.
  expect(google.revocations).toHaveLength(1);
});

test('a cancelled sign-in whose tokens are not kept ends no other account', async () => {
  const google = await startGoogle();
  const rig = googleRig(google);
  await rig.signIns.connect('calendar');
  const lock = new FileLock(join(rig.locksFolder, 'google-gmail.lock'));
  lock.tryExclusive();
  const connecting = rig.signIns.connect('gmail');
  await vi.waitFor(() => expect(google.requests.at(-1)).toBe('GET /gmail/v1/users/me/profile'), SOON);
  rig.signIns.cancel('gmail');
  lock.close();
  expect(await outcome(connecting)).toBe('cancelled');
  expect([rig.record('gmail'), google.revocations]).toEqual([undefined, []]);
  expect(google.scopesOf(await rig.token('calendar'))).toHaveLength(1);
});

test('a call that is stopped cancels its sign-in, but not one that the user started', async () => {
  const google = await startGoogle();
  const opened: string[] = [];
  const rig = googleRig(google, { openBrowser: async (url) => void opened.push(url) });
  const [first, second] = [new AbortController(), new AbortController()];
  const call = ({ signal }: AbortController) => rig.signIns.token('gmail', { tool: 'gmail_search', signal });
  const calls = [call(first), call(second)].map((work) => work.catch(() => 'stopped'));
  await vi.waitFor(() => expect(opened).toHaveLength(1), SOON);
  first.abort();
  expect(await calls[0]).toBe('stopped');
  expect(rig.signIns.progress('gmail').step).toBe('browser');
  second.abort();
  await vi.waitFor(() => expect(rig.signIns.progress('gmail').step).toBeUndefined(), SOON);
  expect(await isOpen(new URL(opened[0] ?? '').searchParams)).toBe(false);

  const connecting = rig.signIns.connect('gmail');
  await vi.waitFor(() => expect(opened).toHaveLength(2), SOON);
  const third = new AbortController();
  const joined = call(third).catch(() => 'stopped');
  third.abort();
  await joined;
  expect(rig.signIns.progress('gmail').step).toBe('browser');
  await browse(opened[1] ?? '');
  await connecting;
  expect(rig.record('gmail')).toBeDefined();
});

test('what Google says about the client is told, and a client that cannot be one is not tried', async () => {
  const google = await startGoogle();
  const wrongSecret = googleRig(google, {
    env: { ...google.env, GOOGLE_CLIENT_SECRET: 'GOCSPX-0123456789abcdefghij' },
  });
  expect(await outcome(wrongSecret.signIns.connect('gmail'))).toBe('google_refused');
  expect(wrongSecret.signIns.progress('gmail').problem).toEqual({ code: 'google_refused', error: 'invalid_client' });
  // A code is never sent twice.
  expect(google.tokenRequests).toHaveLength(1);

  const swapped = { GOOGLE_CLIENT_ID: google.client.secret, GOOGLE_CLIENT_SECRET: google.client.id };
  expect(await outcome(googleRig(google, { env: swapped }).signIns.connect('gmail'))).toBe('bad_google_client');
  expect(await outcome(googleRig(google, { env: {} }).signIns.connect('gmail'))).toBe('no_google_client');
  expect(google.authorizations).toHaveLength(1);
});

test('a taken port is reported, and a sign-in that never comes back leaves nothing open', async () => {
  const google = await startGoogle();
  const other = createServer();
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  onTestFinished(() => void other.close());
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  expect(await outcome(googleRig(google, { receiver: { port } }).signIns.connect('gmail'))).toBe('port_taken');
  google.behaviour.showsErrorPage = 'org_internal';
  const rig = googleRig(google, { receiver: { lifeMs: 80 } });
  expect(await outcome(rig.signIns.connect('gmail'))).toBe('expired');
  expect(await rig.pages[0]).toContain('Access blocked');
});

test('a sign-in works although the API is switched off, and that is said', async () => {
  const google = await startGoogle({
    handlers: [googleErrors.apiOff],
  });
  const rig = googleRig(google);
  await rig.signIns.connect('gmail');
  expect(rig.record('gmail')).toBeDefined();
  expect(rig.record('gmail')).not.toHaveProperty('address');
  expect(rig.signIns.progress('gmail').problem).toEqual({ code: 'api_disabled', account: 'gmail' });
});

test('without a keychain the sign-in works until the end of the process', async () => {
  const google = await startGoogle();
  const keychain = new MapKeychain();
  keychain.trouble = 'absent';
  const rig = googleRig(google, { keychain });
  await rig.signIns.connect('gmail');
  expect(await rig.signIns.isInMemory('gmail')).toBe(true);
  expect(google.scopesOf(await rig.token('gmail'))).toHaveLength(2);
  expect(keychain.entries.size).toBe(0);
  expect(await outcome(googleRig(google, { keychain, openBrowser: undefined }).token('gmail'))).toBe('needs_sign_in');
});
