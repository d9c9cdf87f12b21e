import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { SignInFailure } from '../../src-main/accounts/sign-in-problem.ts';
import { type AuthorizationFixture, browse, startAuthorization } from '../fixtures/mcp/authorization.ts';
import { signInRig } from '../fixtures/mcp/sign-in-rig.ts';

const still = new AbortController().signal;

/** How a sign-in ended. */
async function outcome(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'signed-in',
    (error: unknown) => (error instanceof SignInFailure ? error.problem.code : String(error)),
  );
}

function codesSent({ tokenRequests }: AuthorizationFixture): (string | undefined)[] {
  return tokenRequests.map(({ code }) => code);
}

/** An attacker's server on this machine. Keeps what it is sent. */
async function attacker(): Promise<{ readonly origin: string; readonly received: string[] }> {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    received.push(`${request.method} ${request.url} ${await text(request)}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { origin: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`, received };
}

test('an answer of another service is not used (mix-up)', async () => {
  const fixture = await startAuthorization();
  fixture.behaviour.iss = 'https://evil.example';
  const rig = signInRig(fixture.url);
  expect(await outcome(rig.signIn())).toBe('issuer_mismatch');
  expect(await rig.pages[0]).toContain('did not work');
  expect(codesSent(fixture)).toEqual([]);
  fixture.behaviour.iss = undefined;
  fixture.behaviour.metadata = { authorization_response_iss_parameter_supported: true };
  expect(await outcome(signInRig(fixture.url).signIn())).toBe('issuer_mismatch');
  expect(codesSent(fixture)).toEqual([]);
  // The control: only that parameter was wrong.
  fixture.behaviour.iss = fixture.issuer;
  expect(await outcome(signInRig(fixture.url).signIn())).toBe('signed-in');
});

test('an error of another service is not believed either', async () => {
  const fixture = await startAuthorization();
  Object.assign(fixture.behaviour, { iss: 'https://evil.example', denies: true });
  expect(await outcome(signInRig(fixture.url).signIn())).toBe('issuer_mismatch');
  fixture.behaviour.iss = fixture.issuer;
  expect(await outcome(signInRig(fixture.url).signIn())).toBe('denied');
});

test('metadata of a service that calls itself another one is not used', async () => {
  const fixture = await startAuthorization();
  fixture.behaviour.metadata = { issuer: 'https://evil.example' };
  const rig = signInRig(fixture.url);
  expect(await outcome(rig.signIn())).toBe('issuer_mismatch');
  expect(rig.pages).toEqual([]);
});

test('a code that another program brings is not taken, nor is one that was made for somebody else', async () => {
  const fixture = await startAuthorization();
  const injected: number[] = [];
  const rig = signInRig(fixture.url, {
    openBrowser: async (url) => {
      const back = new URL(url).searchParams.get('redirect_uri') ?? '';
      for (const state of ['', 'x', 'A'.repeat(43)])
        injected.push((await fetch(`${back}?code=of-the-attacker&state=${state}`)).status);
      void browse(url);
    },
  });
  expect(await outcome(rig.signIn())).toBe('signed-in');
  expect(injected).toEqual([400, 400, 400]);
  expect(codesSent(fixture)).not.toContain('of-the-attacker');

  // The control: who knows the state gets a code in. Then it is PKCE that makes it useless.
  const known = signInRig(fixture.url, {
    openBrowser: async (url) => {
      const asked = new URL(url);
      asked.searchParams.set('code_challenge', 'made-for-the-attacker');
      void browse(asked.href);
    },
  });
  expect(await outcome(known.signIn())).toBe('refused');
  expect(codesSent(fixture)).toHaveLength(2);
  expect(known.keychain.entries.has('mcp/fixture/oauth:tokens')).toBe(false);
});

/** A name server that keeps what it is asked; all names lead to this machine. */
function spyingLookup(): { readonly asked: string[]; readonly lookup: (name: string) => Promise<LookupAddress[]> } {
  const asked: string[] = [];
  const lookup = async (name: string) => {
    asked.push(name);
    return [{ address: '127.0.0.1', family: 4 }];
  };
  return { asked, lookup };
}

const PLACES: readonly (readonly [string, (address: string) => Partial<AuthorizationFixture['behaviour']>])[] = [
  ['the resource metadata', (address) => ({ challenge: `resource_metadata="${address}"` })],
  ['the authorization server', (address) => ({ resourceMetadata: { authorization_servers: [address] } })],
  ['the token endpoint', (address) => ({ metadata: { token_endpoint: address } })],
  ['the registration endpoint', (address) => ({ metadata: { registration_endpoint: address } })],
  ['the revocation endpoint', (address) => ({ metadata: { revocation_endpoint: address } })],
  ['the page to sign in on', (address) => ({ metadata: { authorization_endpoint: address } })],
];

test.each(PLACES)('%s is neither read in the clear nor from this machine’s files', async (_what, behaviour) => {
  const fixture = await startAuthorization();
  const { asked, lookup } = spyingLookup();
  for (const address of ['http://evil.example/x', 'file:///etc/passwd', 'ftp://127.0.0.1/x', 'http://10.0.0.1/x']) {
    Object.assign(fixture.behaviour, behaviour(address));
    const rig = signInRig(fixture.url, { network: { lookup } });
    // The SDK's schema refuses some of them before we do.
    expect(['insecure_address', 'protocol']).toContain(await outcome(rig.signIn()));
    expect([...rig.pages, ...rig.questions]).toEqual([]);
  }
  expect(asked).toEqual([]);
});

const READ_PLACES = PLACES.slice(0, 2);

test.each(READ_PLACES)(
  '%s on a private network is asked about before anything is looked up',
  async (_what, behaviour) => {
    const fixture = await startAuthorization();
    for (const host of ['10.0.0.1', '[fd00::1]', 'login.internal']) {
      Object.assign(fixture.behaviour, behaviour(`https://${host}/x`));
      const { asked, lookup } = spyingLookup();
      const asks: string[] = [];
      const declining = signInRig(fixture.url, {
        network: { lookup },
        confirmPrivate: async (_server, url) => asks.push(url) < 0,
      });
      expect(await outcome(declining.signIn())).toBe('address_not_allowed');
      expect(new URL(asks[0] ?? '').host).toBe(host);
      expect([asks.length, asked.length]).toEqual([1, 0]);
    }
    // The control: a yes lets it be looked up.
    const { asked, lookup } = spyingLookup();
    expect(await outcome(signInRig(fixture.url, { network: { lookup } }).signIn())).toBe('unreachable');
    expect(asked).toEqual(['login.internal']);
  },
);

test.each(READ_PLACES)('%s that only looks public is asked about once that is known', async (_what, behaviour) => {
  const fixture = await startAuthorization();
  Object.assign(fixture.behaviour, behaviour('https://login.example/x'));
  const { asked, lookup } = spyingLookup();
  const asks: string[] = [];
  const rig = signInRig(fixture.url, {
    network: { lookup },
    confirmPrivate: async (_server, url) => asks.push(url) < 0,
  });
  expect(await outcome(rig.signIn())).toBe('address_not_allowed');
  expect([asks.length, asked]).toEqual([1, ['login.example']]);
});

test('metadata services with credentials are refused without a question', async () => {
  const fixture = await startAuthorization();
  fixture.behaviour.challenge = 'resource_metadata="https://169.254.169.254/latest/meta-data/"';
  const rig = signInRig(fixture.url);
  expect(await outcome(rig.signIn())).toBe('address_not_allowed');
  expect(rig.privateQuestions).toEqual([]);
});

test('a code is not sent on to where the token endpoint points', async () => {
  const [fixture, evil] = [await startAuthorization(), await attacker()];
  fixture.behaviour.tokenRedirect = `${evil.origin}/take`;
  expect(await outcome(signInRig(fixture.url).signIn())).toBe('redirected');
  expect(codesSent(fixture)).toHaveLength(1);
  expect(evil.received).toEqual([]);
  // The control: what follows redirects sends it on.
  await fetch(`${fixture.issuer}/token`, { method: 'POST', body: new URLSearchParams({ code: 'the-code' }) });
  expect(evil.received).toEqual(['POST /take code=the-code']);
});

test('a refresh token is not sent to where nobody agreed to', async () => {
  const [fixture, evil] = [await startAuthorization(), await attacker()];
  const rig = signInRig(fixture.url);
  await rig.signIn();
  // The authorization server is another one now; what the old one gave is not for it.
  fixture.behaviour.resourceMetadata = { authorization_servers: [evil.origin] };
  fixture.forgetAccess();
  const before = fixture.tokenRequests.length;
  await expect(rig.connection.call('read_note', {}, { signal: still })).rejects.toThrow();
  expect(rig.connection.state.name).toBe('needs-sign-in');
  expect(evil.received).toEqual([]);
  expect(fixture.tokenRequests).toHaveLength(before);
  expect(rig.pages).toHaveLength(1);
});

test('metadata of another resource does not get a token for it', async () => {
  const fixture = await startAuthorization();
  fixture.behaviour.resourceMetadata = { resource: 'https://bank.example/' };
  const rig = signInRig(fixture.url);
  expect(await outcome(rig.signIn())).toBe('resource_mismatch');
  expect([...rig.questions, ...rig.pages]).toEqual([]);
});

test('a server gets no more rights without a yes, and what is no scope is not even shown', async () => {
  const fixture = await startAuthorization();
  const rig = signInRig(fixture.url, { confirm: async (_server, { scopesNow }) => scopesNow === undefined });
  await rig.signIn();
  fixture.behaviour.writeScope = 'admin:everything';
  await expect(rig.connection.call('write_note', {}, { signal: still })).rejects.toThrow();
  expect(rig.pages).toHaveLength(1);
  // The control: with a yes the browser opens for it.
  const agreeing = signInRig(fixture.url);
  await agreeing.signIn();
  await agreeing.connection.call('write_note', {}, { signal: still });
  expect(agreeing.pages).toHaveLength(2);

  fixture.behaviour.resourceMetadata = { scopes_supported: ['read\u202Ellа'] };
  const odd = signInRig(fixture.url);
  expect(await outcome(odd.signIn())).toBe('protocol');
  expect(odd.questions).toEqual([]);
});

test('a server can ask for a sign-in as often as it likes: no browser opens by itself', async () => {
  const fixture = await startAuthorization();
  const rig = signInRig(fixture.url);
  for (let tries = 0; tries < 20; tries++) await rig.connection.restart();
  await expect(rig.connection.call('read_note', {}, { signal: still })).rejects.toThrow();
  expect([...rig.questions, ...rig.pages]).toEqual([]);
  expect(new Set(fixture.requests)).toEqual(new Set(['POST rs/mcp']));
});

test('a call that needs more has nothing looked up that the user did not sign in at', async () => {
  const fixture = await startAuthorization();
  const other = await attacker();
  const rig = signInRig(fixture.url);
  await rig.signIn();
  fixture.behaviour.resourceMetadata = { authorization_servers: [other.origin] };
  await expect(rig.connection.call('write_note', {}, { signal: still })).rejects.toThrow();
  expect(other.received).toEqual([]);
  expect(rig.questions).toHaveLength(1);
  // The control: a user who asks for a sign-in has it looked up.
  await rig.signIns.signIn('fixture').catch(() => undefined);
  expect(other.received.length).toBeGreaterThan(0);
});
