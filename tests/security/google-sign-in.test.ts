import { createServer, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Account } from '../../src-preload/contract/accounts.ts';
import { filesIn } from '../fixtures/files-in.ts';
import { googleRig, outcome } from '../fixtures/google/google-rig.ts';
import { browse, type GoogleFixture, startGoogle } from '../fixtures/google/start-google.ts';
import { SOON, WindowRig } from '../fixtures/window-rig.ts';

/** The status of the answer to a request as a browser or program could make it. */
async function call(url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { connection: 'close', ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once('error', reject).end();
  });
}

function asked(url: string): { readonly redirectUri: string; readonly state: string } {
  const { searchParams } = new URL(url);
  return { redirectUri: searchParams.get('redirect_uri') ?? '', state: searchParams.get('state') ?? '' };
}

function codesSent({ tokenRequests }: GoogleFixture): (string | undefined)[] {
  return tokenRequests.map(({ code }) => code);
}

/** A code that Google made for the attacker, who signed in with a challenge of their own. */
async function attackersCode(url: string): Promise<string> {
  const own = new URL(url);
  own.searchParams.set('code_challenge', 'made-for-the-attacker');
  own.searchParams.set('state', 'of-the-attacker');
  const { headers } = await fetch(own, { redirect: 'manual' });
  return new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
}

test('a callback from a foreign Host or Origin is not taken, even with the state', async () => {
  const google = await startGoogle();
  const statuses: number[] = [];
  const rig = googleRig(google, {
    openBrowser: async (url) => {
      const { redirectUri, state } = asked(url);
      const target = `${redirectUri}?code=injected&state=${state}`;
      for (const host of ['evil.example', 'localhost', '127.0.0.1', `evil.example:${new URL(redirectUri).port}`])
        statuses.push(await call(target, { host }));
      for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'file://'])
        statuses.push(await call(target, { origin }));
      for (const method of ['POST', 'PUT', 'OPTIONS']) statuses.push(await call(target, {}, method));
      statuses.push(
        await call(target.replace('/callback', '/callback/')),
        await call(target.replace('/callback', '/')),
      );
      void browse(url);
    },
  });
  await rig.signIns.connect('gmail');
  expect(new Set(statuses)).toEqual(new Set([400]));
  expect(codesSent(google)).not.toContain('injected');
});

test('a local process that calls first, without our state, has no effect', async () => {
  const google = await startGoogle();
  const statuses: number[] = [];
  const rig = googleRig(google, {
    openBrowser: async (url) => {
      const { redirectUri, state } = asked(url);
      const code = await attackersCode(url);
      for (const query of [
        `code=${code}`,
        `code=${code}&state=`,
        `code=${code}&state=of-the-attacker`,
        `code=${code}&state=${state.slice(1)}`,
        `code=${code}&state=x&state=${state}`,
        `code=${code}&code=other&state=${state}`,
        'error=access_denied&state=guessed',
        'error=access_denied',
      ])
        statuses.push(await call(`${redirectUri}?${query}`));
      await Promise.all(Array.from({ length: 50 }, () => call(`${redirectUri}?x`).catch(() => 0)));
      rig.pages.push(browse(url));
    },
  });
  await rig.signIns.connect('gmail');
  expect(await rig.pages[0]).toContain('You are signed in');
  expect(new Set(statuses)).toEqual(new Set([400]));
  expect(google.tokenRequests).toHaveLength(1);
});

test('the control: with the right state a foreign code is accepted, and PKCE makes it useless', async () => {
  const google = await startGoogle();
  const rig = googleRig(google, {
    openBrowser: async (url) => {
      const { redirectUri, state } = asked(url);
      const code = await attackersCode(url);
      // `fetch`, because the answer comes when the code was tried.
      rig.pages.push(
        fetch(`${redirectUri}?code=${encodeURIComponent(code)}&state=${state}`).then((page) => page.text()),
      );
    },
  });
  expect(await outcome(rig.signIns.connect('gmail'))).toBe('google_refused');
  expect(rig.signIns.progress('gmail').problem).toEqual({ code: 'google_refused', error: 'invalid_grant' });
  expect(google.tokenRequests).toHaveLength(1);
  expect(rig.record('gmail')).toBeUndefined();
});

test('a second tab, and a code that is replayed, are told that the sign-in was used', async () => {
  const google = await startGoogle();
  google.behaviour.tokenDelayMs = 200;
  let replayed = 0;
  const rig = googleRig(google, {
    openBrowser: async (url) => {
      const { headers } = await fetch(url, { redirect: 'manual' });
      const back = headers.get('location') ?? '';
      rig.pages.push(fetch(back).then((page) => page.text()));
      await vi.waitFor(() => expect(google.tokenRequests).toHaveLength(1), SOON);
      replayed = await call(back);
      // The user opened the address a second time.
      rig.pages.push(browse(url));
    },
  });
  await rig.signIns.connect('gmail');
  expect(await rig.pages[0]).toContain('You are signed in');
  expect([replayed, await rig.pages[1]]).toEqual([409, expect.stringContaining('already used')]);
  expect(google.tokenRequests).toHaveLength(1);
});

test('neither a code nor a refresh token nor a revocation is sent on to where Google seems to point', async () => {
  const google = await startGoogle();
  const received: string[] = [];
  const evil = createServer(async (incoming, response) => {
    received.push(await text(incoming));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((done) => evil.listen(0, '127.0.0.1', done));
  onTestFinished(() => void evil.close());
  const address = evil.address();
  const take = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/take`;
  google.behaviour.tokenRedirect = take;
  const rig = googleRig(google);
  expect(await outcome(rig.signIns.connect('gmail'))).toBe('redirected');
  google.behaviour.tokenRedirect = undefined;
  await rig.signIns.connect('gmail');
  google.behaviour.tokenRedirect = take;
  google.forgetAccess();
  expect(await outcome(rig.token('gmail', String(rig.record('gmail')?.accessToken)))).toBe('redirected');
  expect(rig.record('gmail')).toBeDefined();
  expect(received).toEqual([]);
  // The control: what follows redirects sends it on.
  await fetch(`${google.url}/token`, { method: 'POST', body: new URLSearchParams({ code: 'the-code' }) });
  expect(received).toEqual(['code=the-code']);
});

test('nothing is sent in the clear to another machine', async () => {
  const google = await startGoogle();
  const clear = { ...google, endpoints: { ...google.endpoints, googleToken: 'http://tokens.example' } };
  expect(await outcome(googleRig(clear).signIns.connect('gmail'))).toBe('insecure_address');
  const page = { ...google, endpoints: { ...google.endpoints, googleAuth: 'http://login.example' } };
  const rig = googleRig(page);
  expect(await outcome(rig.signIns.connect('gmail'))).toBe('insecure_address');
  expect(rig.pages).toEqual([]);
});

test('a page without a click connects, disconnects and tests nothing, and no token reaches page, profile or log', async () => {
  const google = await startGoogle();
  const written: string[] = [];
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
  onTestFinished(() => stderr.mockRestore());
  const rig = new WindowRig({ config: { endpoints: google.endpoints }, env: google.env });
  await rig.request('settings.get');
  const confirming = rig.request('settings.confirmPending');
  for (const _endpoint of Object.keys(google.endpoints)) await rig.answer({ answer: 'once' });
  await confirming;
  const answers: unknown[] = [];
  const said = async (route: string, input: unknown) => {
    const envelope = await rig.envelope(route, input);
    answers.push(envelope);
    return envelope.ok ? 'ok' : envelope.error.code;
  };
  const connecting = rig.request<Account>('accounts.connect', { name: 'gmail' });
  await rig.answer({ answer: 'once' });
  await vi.waitFor(() => expect(rig.opened).toHaveLength(1), SOON);
  await browse(rig.opened[0] ?? '');
  answers.push(await connecting);

  rig.hasGesture = false;
  for (const route of ['connect', 'disconnect', 'test'])
    expect(await said(`accounts.${route}`, { name: 'gmail' })).toBe('no_gesture');
  expect(await said('accounts.disconnectAll', {})).toBe('no_gesture');
  expect(await said('accounts.connect', { name: 'drive' })).toBe('bad_input');
  expect(await said('accounts.list', {})).toBe('ok');
  expect(await said('settings.get', {})).toBe('ok');
  expect(answers.at(-2)).toMatchObject({ data: [{ name: 'gmail', state: 'connected' }, {}] });
  // The control: with a click the page may.
  rig.hasGesture = true;
  expect(await said('accounts.test', { name: 'gmail' })).toBe('ok');

  const places = {
    answers: JSON.stringify(answers),
    events: JSON.stringify(rig.events),
    log: written.join(''),
    ...filesIn(rig.profile),
  };
  expect(google.secrets.map((secret) => secret.slice(0, 3))).toEqual(['GOC', '4/0', '1//', 'ya2']);
  for (const secret of google.secrets)
    expect(Object.entries(places).flatMap(([name, content]) => (content.includes(secret) ? [name] : []))).toEqual([]);
  // What was looked at is what was written.
  expect(
    Object.entries(places).some(([name, content]) => name.includes('.db') && content.includes('account_notes')),
  ).toBe(true);
});
