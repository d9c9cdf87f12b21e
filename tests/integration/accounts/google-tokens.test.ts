import { expect, test } from 'vitest';
import { type GoogleRig, googleRig, outcome } from '../../fixtures/google/google-rig.ts';
import { type GoogleFixture, startGoogle } from '../../fixtures/google/start-google.ts';
import { MapKeychain } from '../../fixtures/keyring/map-keychain.ts';

const DAY_MS = 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;

/** Connected to Gmail, with a clock that can be set. */
async function connected(): Promise<{ google: GoogleFixture; rig: GoogleRig; clock: { shift: number } }> {
  const google = await startGoogle();
  const clock = { shift: 0 };
  const rig = googleRig(google, { now: () => Date.now() + clock.shift });
  await rig.signIns.connect('gmail');
  return { google, rig, clock };
}

function refreshes({ tokenRequests }: GoogleFixture): number {
  return tokenRequests.filter(({ grant_type }) => grant_type === 'refresh_token').length;
}

test('a token is used until shortly before it expires, then renewed once for all calls', async () => {
  const { google, rig, clock } = await connected();
  const first = await rig.token('gmail');
  expect(refreshes(google)).toBe(0);
  clock.shift = HOUR_MS - 30_000;
  const renewed = await Promise.all([rig.token('gmail'), rig.token('gmail'), rig.token('gmail')]);
  expect(new Set(renewed).size).toBe(1);
  expect(renewed[0]).not.toBe(first);
  expect(refreshes(google)).toBe(1);
  expect(rig.record('gmail')).toMatchObject({ accessToken: renewed[0], address: 'ada@example.com' });
});

test('a token that the service rejects is renewed, once, and a newer one is not', async () => {
  const { google, rig } = await connected();
  const old = await rig.token('gmail');
  google.forgetAccess();
  const [one, two] = await Promise.all([rig.token('gmail', old), rig.token('gmail', old)]);
  expect(one).toBe(two);
  expect(google.scopesOf(one ?? '')).toHaveLength(2);
  expect(await rig.token('gmail', old)).toBe(one);
  expect(refreshes(google)).toBe(1);
});

test('processes of one profile renew once', async () => {
  const google = await startGoogle();
  const keychain = new MapKeychain();
  const clock = () => Date.now() + HOUR_MS;
  const first = googleRig(google, { keychain });
  await first.signIns.connect('gmail');
  const { locksFolder } = first;
  google.behaviour.tokenDelayMs = 100;
  const others = [1, 2, 3].map(() => googleRig(google, { keychain, locksFolder, now: clock }));
  const tokens = await Promise.all(others.map((rig) => rig.token('gmail')));
  expect(new Set(tokens).size).toBe(1);
  expect(refreshes(google)).toBe(1);
});

test('a refresh token that rotates is replaced: three processes renew once, and a fourth goes on with the new one', async () => {
  const google = await startGoogle();
  google.behaviour.rotates = true;
  const keychain = new MapKeychain();
  const first = googleRig(google, { keychain });
  await first.signIns.connect('gmail');
  const { locksFolder } = first;
  const before = first.record('gmail')?.refreshToken;
  google.behaviour.tokenDelayMs = 50;
  const after = (hours: number) =>
    googleRig(google, { keychain, locksFolder, now: () => Date.now() + hours * HOUR_MS });
  const tokens = await Promise.all([after(1), after(1), after(1)].map((rig) => rig.token('gmail')));
  expect(new Set(tokens).size).toBe(1);
  expect(refreshes(google)).toBe(1);
  expect(first.record('gmail')?.refreshToken).not.toBe(before);

  const fourth = after(2);
  await fourth.signIns.test('gmail');
  expect(google.scopesOf(await fourth.token('gmail'))).toHaveLength(2);
  expect(refreshes(google)).toBe(2);
  expect(google.tokenRequests.at(-1)?.refresh_token).not.toBe(before);
  // Each of them may be the last that the service accepts.
  expect(google.scopesOf(await after(3).token('gmail'))).toHaveLength(2);
});

test('the control: without a common lock each of them renews', async () => {
  const google = await startGoogle();
  const keychain = new MapKeychain();
  const clock = () => Date.now() + HOUR_MS;
  await googleRig(google, { keychain }).signIns.connect('gmail');
  google.behaviour.tokenDelayMs = 100;
  await Promise.all([1, 2, 3].map(() => googleRig(google, { keychain, now: clock }).token('gmail')));
  expect(refreshes(google)).toBe(3);
});

test('a clock that was set back does not keep an expired token in use', async () => {
  const { google, rig, clock } = await connected();
  clock.shift = -DAY_MS;
  await rig.token('gmail');
  expect(refreshes(google)).toBe(1);
  // Then it counts by the clock as it is now.
  await rig.token('gmail');
  expect(refreshes(google)).toBe(1);
});

test.each([
  { status: 503, json: { error: { message: 'backend' } } },
  { status: 429, json: { error: 'rate_limited' } },
  { status: 400, json: 'not what was expected' },
  'drop' as const,
])('Google that does not answer as it should (%j) drops nothing', async (fault) => {
  const { google, rig, clock } = await connected();
  const token = await rig.token('gmail');
  google.behaviour.fault = fault;
  // Soon to expire, but not yet: it is used.
  clock.shift = HOUR_MS - 30_000;
  expect(await rig.token('gmail')).toBe(token);
  expect(await outcome(rig.token('gmail', token))).toBe('unreachable');
  clock.shift = HOUR_MS;
  expect(await outcome(rig.token('gmail'))).toBe('unreachable');
  expect(rig.record('gmail')).toBeDefined();
  expect(rig.questions).toHaveLength(1);
  google.behaviour.fault = undefined;
  expect(await outcome(rig.token('gmail'))).toBe('ok');
});

test('a wrong client secret does not drop the sign-in either', async () => {
  const { google, rig } = await connected();
  const { keychain, locksFolder } = rig;
  const env = { ...google.env, GOOGLE_CLIENT_SECRET: 'GOCSPX-0123456789abcdefghij' };
  const other = googleRig(google, { keychain, locksFolder, env, now: () => Date.now() + HOUR_MS });
  expect(await outcome(other.token('gmail'))).toBe('google_refused');
  expect(rig.record('gmail')).toBeDefined();
});

test('a sign-in that Google no longer accepts is dropped, and offered again once', async () => {
  const google = await startGoogle();
  let answer = true;
  const asked: string[] = [];
  const rig = googleRig(google, {
    confirm: async (service) => {
      asked.push(service);
      return answer;
    },
  });
  await rig.signIns.connect('gmail');
  google.forgetAll();
  const old = String(rig.record('gmail')?.accessToken);
  const fresh = await Promise.all([rig.token('gmail', old), rig.token('gmail', old)]);
  expect(google.scopesOf(fresh[0] ?? '')).toHaveLength(2);
  expect(asked).toHaveLength(2);
  expect(rig.ended.filter(([, why]) => why !== undefined)).toEqual([['gmail', 'refused']]);

  google.forgetAll();
  answer = false;
  expect(await outcome(rig.token('gmail', fresh[0]))).toBe('not_confirmed');
  expect(await outcome(rig.token('gmail'))).toBe('declined_before');
  expect(asked).toHaveLength(3);
  expect(rig.record('gmail')).toBeUndefined();
});

test.each([
  // Google accepted it on its first day, and rejected it after seven.
  { renewedAfter: 0, foundAfter: 7 * DAY_MS, why: 'testing' },
  { renewedAfter: 6 * DAY_MS, foundAfter: 7 * DAY_MS + 60_000, why: 'testing' },
  { renewedAfter: 0, foundAfter: 3 * DAY_MS, why: 'refused' },
  { renewedAfter: 9 * DAY_MS, foundAfter: 10 * DAY_MS, why: 'refused' },
])('it is said when a sign-in ended because the client is in Testing: $renewedAfter, $foundAfter', async (when) => {
  const { google, rig, clock } = await connected();
  clock.shift = when.renewedAfter;
  await rig.token('gmail');
  clock.shift = when.foundAfter;
  google.forgetAll();
  google.behaviour.denies = true;
  await outcome(rig.token('gmail'));
  expect(rig.ended.at(-1)).toEqual(['gmail', when.why]);
});

test('the expiry that Google announces is kept, and the sign-in counts as expired after it', async () => {
  const google = await startGoogle();
  google.behaviour.refreshTokenExpiresIn = 3 * 86_400;
  const clock = { shift: 0 };
  const rig = googleRig(google, { now: () => Date.now() + clock.shift });
  await rig.signIns.connect('gmail');
  expect(Number(rig.record('gmail')?.endsAt) - Number(rig.record('gmail')?.connectedAt)).toBe(3 * DAY_MS);
  clock.shift = 3 * DAY_MS;
  google.forgetAll();
  google.behaviour.denies = true;
  await outcome(rig.token('gmail'));
  expect(rig.ended.at(-1)).toEqual(['gmail', 'testing']);
});

test('disconnecting revokes only when the last account of the client goes', async () => {
  const { google, rig } = await connected();
  await rig.signIns.connect('calendar');
  await rig.signIns.disconnect('gmail');
  expect([rig.record('gmail'), google.revocations]).toEqual([undefined, []]);
  expect(google.scopesOf(await rig.token('calendar'))).toHaveLength(1);
  const { refreshToken } = rig.record('calendar') ?? {};
  await rig.signIns.disconnect('calendar');
  expect(rig.record('calendar')).toBeUndefined();
  expect(google.revocations).toEqual([{ token: refreshToken }]);
});

test('the control: revoking one token ends the other account', async () => {
  const { google, rig } = await connected();
  await rig.signIns.connect('calendar');
  const calendar = await rig.token('calendar');
  await fetch(`${google.url}/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ token: String(rig.record('gmail')?.refreshToken) }),
  });
  expect(google.scopesOf(calendar)).toBeUndefined();
});

test('an account that is being connected is not ended by disconnecting the other', async () => {
  const google = await startGoogle();
  let meanwhile: (() => Promise<void>) | undefined;
  const rig = googleRig(google, {
    confirm: async () => {
      await meanwhile?.();
      return true;
    },
  });
  await rig.signIns.connect('gmail');
  meanwhile = () => rig.signIns.disconnect('gmail');
  await rig.signIns.connect('calendar');
  expect(google.revocations).toEqual([]);
  expect(await outcome(rig.token('calendar'))).toBe('ok');
});

test('everything can be disconnected at once, also where Google cannot be told or has forgotten it', async () => {
  const { google, rig } = await connected();
  await rig.signIns.connect('calendar');
  await rig.signIns.disconnectAll();
  expect([rig.record('gmail'), rig.record('calendar')]).toEqual([undefined, undefined]);
  // The first revocation ended both; the second is answered with invalid_token.
  expect(google.revocations).toHaveLength(2);
  expect(rig.signIns.progress('calendar').problem).toBeUndefined();

  await rig.signIns.connect('gmail');
  google.behaviour.fault = 'drop';
  await rig.signIns.disconnect('gmail');
  expect(rig.record('gmail')).toBeUndefined();
  expect(rig.signIns.progress('gmail').problem?.code).toBe('not_revoked');
});

test('a sign-in of another client is of no use, and dropped when the client is changed', async () => {
  const { google, rig } = await connected();
  const { keychain, locksFolder } = rig;
  const env = { ...google.env, GOOGLE_CLIENT_ID: '1-other.apps.googleusercontent.com' };
  const other = googleRig(google, { keychain, locksFolder, env, openBrowser: undefined });
  expect(await outcome(other.token('gmail'))).toBe('needs_sign_in');
  expect(rig.record('gmail')).toBeDefined();
  await rig.signIns.dropOthers(google.client.id);
  expect(rig.record('gmail')).toBeDefined();
  await other.signIns.dropOthers(env.GOOGLE_CLIENT_ID);
  expect(rig.record('gmail')).toBeUndefined();
});

test('a test of the account says what is wrong with it', async () => {
  const { google, rig } = await connected();
  await rig.signIns.test('gmail');
  expect(rig.signIns.progress('gmail').problem).toBeUndefined();
  google.forgetAccess();
  google.behaviour.fault = { status: 500, json: {} };
  await rig.signIns.test('gmail');
  expect(rig.signIns.progress('gmail').problem?.code).toBe('unreachable');
  google.behaviour.fault = undefined;
  await rig.signIns.test('gmail');
  expect(rig.signIns.progress('gmail').problem).toBeUndefined();
  google.forgetAll();
  await rig.signIns.test('gmail');
  expect(rig.signIns.progress('gmail').problem?.code).toBe('sign_in_ended');
  await rig.signIns.test('calendar');
  // There is a window: the flag of `ask` would tell its user nothing.
  expect(rig.signIns.progress('calendar').problem).toEqual({
    code: 'needs_sign_in',
    account: 'calendar',
    takesFlag: false,
  });
});
