import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { SignInFailure } from '../../../src-main/accounts/sign-in-problem.ts';
import { CallFailure } from '../../../src-main/mcp/calls/tool-call.ts';
import type { McpConnection } from '../../../src-main/mcp/connection.ts';
import { remediesOf } from '../../../src-main/tools/contract.ts';
import { MapKeychain } from '../../fixtures/keyring/map-keychain.ts';
import { startAuthorization } from '../../fixtures/mcp/authorization.ts';
import { until } from '../../fixtures/mcp/connections.ts';
import { signInRig } from '../../fixtures/mcp/sign-in-rig.ts';

const still = new AbortController().signal;
const TOKENS = 'mcp/fixture/oauth:tokens';
const CLIENT = 'mcp/fixture/oauth:client';

async function problemOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof SignInFailure ? error.problem.code : String(error);
}

async function callProblem(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'it worked',
    (error: { readonly problem?: { readonly code: string } }) => error.problem?.code ?? String(error),
  );
}

test('a server that wants a sign-in waits for a user, who is asked before the browser opens', async () => {
  const fixture = await startAuthorization();
  const { connection, signIns, questions, pages, keychain } = signInRig(fixture.url);
  await connection.start();
  expect(connection.state.name).toBe('needs-sign-in');
  // Nothing was done for a sign-in that nobody asked for.
  expect(fixture.requests).toEqual(['POST rs/mcp']);
  expect(await callProblem(connection.call('read_note', {}, { signal: still }))).toBe('needs_sign_in');

  const steps: unknown[] = [];
  signIns.onChange(() => void steps.push(signIns.progress('fixture').step));
  await signIns.signIn('fixture');
  expect(steps).toEqual(['discovering', 'asking', 'browser', 'finishing', undefined]);
  expect(questions).toEqual([{ url: fixture.url, signInAt: [fixture.issuer], scopes: ['notes:read'] }]);
  expect(await pages[0]).toContain('You are signed in');
  expect([...keychain.entries.keys()].sort()).toEqual([CLIENT, TOKENS]);
  expect(fixture.tokenRequests).toMatchObject([{ grant_type: 'authorization_code', resource: fixture.url }]);

  await connection.restart();
  expect(connection.state.name).toBe('ready');
  expect((await connection.call('read_note', {}, { signal: still })).parts).toEqual([{ type: 'text', text: 'done' }]);
  for (const secret of fixture.secrets) expect(JSON.stringify(connection.log.entries)).not.toContain(secret);
});

test('a token that was refused is renewed once for all calls and all processes', async () => {
  const fixture = await startAuthorization();
  const keychain = new MapKeychain();
  const first = signInRig(fixture.url, { keychain });
  await first.signIn();
  const second = signInRig(fixture.url, { keychain, locksFolder: first.locksFolder });
  await second.connection.start();
  expect(second.connection.state.name).toBe('ready');

  fixture.forgetAccess();
  const calls = [first, second].flatMap(({ connection }) =>
    [1, 2, 3].map(() => connection.call('read_note', {}, { signal: still })),
  );
  for (const { parts } of await Promise.all(calls)) expect(parts).toEqual([{ type: 'text', text: 'done' }]);
  // A refresh token is good for one use here, so a second use of it would have ended the sign-in.
  expect(fixture.tokenRequests.filter(({ grant_type }) => grant_type === 'refresh_token')).toHaveLength(1);
});

test('the control: without the lock two processes use up each other’s refresh token', async () => {
  const fixture = await startAuthorization();
  const keychain = new MapKeychain();
  const first = signInRig(fixture.url, { keychain });
  await first.signIn();
  const second = signInRig(fixture.url, { keychain });
  await second.connection.start();
  fixture.forgetAccess();
  await Promise.allSettled(
    [first, second].map(({ connection }) => connection.call('read_note', {}, { signal: still })),
  );
  expect(fixture.tokenRequests.filter(({ grant_type }) => grant_type === 'refresh_token').length).toBeGreaterThan(1);
});

test('a token that runs out is renewed before it is used', async () => {
  const fixture = await startAuthorization();
  fixture.behaviour.expiresIn = 30;
  const rig = signInRig(fixture.url);
  await rig.signIn();
  const before = fixture.requests.length;
  await rig.connection.call('read_note', {}, { signal: still });
  expect(fixture.requests.slice(before)).toEqual(['POST as/token', 'POST rs/mcp']);
});

test.each([
  ['resources/list', ({ content }: McpConnection) => content.list('resources', still)],
  ['resources/read', ({ content }: McpConnection) => content.read('note://today', still)],
  ['prompts/get', ({ content }: McpConnection) => content.prompt('plan', {}, still)],
])('%s without a sign-in leads to it as a call does, and the connection ends', async (_method, ask) => {
  const fixture = await startAuthorization();
  const rig = signInRig(fixture.url);
  await rig.signIn();
  fixture.forgetAll();
  const failure = await Promise.resolve(ask(rig.connection)).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CallFailure);
  expect(remediesOf(failure)).toEqual([{ kind: 'settings', section: 'servers', server: 'fixture' }]);
  expect(rig.connection.state.name).toBe('needs-sign-in');
  await rig.signIn();
  expect(await ask(rig.connection)).not.toEqual([]);
});

test('a sign-in that counts for nothing any more is forgotten, and a user is needed once', async () => {
  const fixture = await startAuthorization();
  const rig = signInRig(fixture.url);
  await rig.signIn();
  fixture.forgetAll();
  expect(await callProblem(rig.connection.call('read_note', {}, { signal: still }))).toBe('needs_sign_in');
  expect(rig.connection.state.name).toBe('needs-sign-in');
  expect(rig.keychain.entries.has(TOKENS)).toBe(false);
  expect(rig.keychain.entries.has(CLIENT)).toBe(true);
  expect(rig.pages).toHaveLength(1);
  // The registration and its port stay.
  await rig.signIn();
  expect(rig.connection.state.name).toBe('ready');
  expect(fixture.registrations).toHaveLength(1);
  const uris = fixture.tokenRequests.map(({ redirect_uri }) => redirect_uri).filter((uri) => uri !== undefined);
  expect(new Set(uris).size).toBe(1);
});

test('a call that needs more asks for exactly that, and a no is not asked again', async () => {
  const fixture = await startAuthorization();
  const rig = signInRig(fixture.url);
  await rig.signIn();
  await rig.connection.call('write_note', {}, { signal: still });
  expect(rig.questions[1]).toEqual({
    url: fixture.url,
    signInAt: [fixture.issuer],
    scopes: ['notes:read', 'notes:write'],
    scopesNow: ['notes:read'],
  });

  const declining = signInRig(fixture.url, { confirm: async (_server, { scopesNow }) => scopesNow === undefined });
  await declining.signIn();
  let asked = 0;
  declining.signIns.onChange(() => {
    if (declining.signIns.progress('fixture').step === 'asking') asked += 1;
  });
  expect(await callProblem(declining.connection.call('write_note', {}, { signal: still }))).toBe('scope_missing');
  expect(await callProblem(declining.connection.call('write_note', {}, { signal: still }))).toBe('scope_missing');
  expect(asked).toBe(1);
  expect(declining.connection.state.name).toBe('ready');
});

test('a given client is used before a document, and a document before a registration', async () => {
  const fixture = await startAuthorization();
  fixture.behaviour.metadata = {
    client_id_metadata_document_supported: true,
    token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
  };
  const clientMetadataUrl = 'https://steward.example/client.json';
  await signInRig(fixture.url, { config: { oauth: { clientMetadataUrl } } }).signIn();
  expect(fixture.tokenRequests.at(-1)).toMatchObject({ client_id: clientMetadataUrl });
  const oauth = { clientMetadataUrl, clientId: 'mine', clientSecret: `\${keychain:SECRET}` };
  const given = signInRig(fixture.url, { config: { oauth }, secretOf: async (_server, name) => `the ${name}` });
  await given.signIn();
  expect(fixture.tokenRequests.at(-1)).toMatchObject({ client_id: 'mine', client_secret: 'the SECRET' });
  expect([...given.keychain.entries.keys()]).toEqual([TOKENS]);
  expect(given.keychain.entries.get(TOKENS)).not.toContain('the SECRET');
  expect(fixture.registrations).toEqual([]);
});

test('who declines, cancels or has no browser is not signed in, and nothing stays open', async () => {
  const fixture = await startAuthorization();
  const declined = signInRig(fixture.url, { confirm: async () => false });
  expect(await problemOf(declined.signIn())).toBe('not_confirmed');
  expect(fixture.requests).not.toContain('POST as/register');

  fixture.behaviour.denies = true;
  const denied = signInRig(fixture.url);
  expect(await problemOf(denied.signIn())).toBe('denied');
  expect(await denied.pages[0]).toContain('Access was denied');
  fixture.behaviour.denies = false;

  const opened: string[] = [];
  const waiting = signInRig(fixture.url, { openBrowser: async (url) => void opened.push(url) });
  const signIn = waiting.signIns.signIn('fixture');
  await until(() => opened.length > 0);
  const back = new URL(opened[0] ?? '').searchParams.get('redirect_uri') ?? '';
  expect((await fetch(back)).status).toBe(400);
  waiting.signIns.cancel('fixture');
  expect(await problemOf(signIn)).toBe('cancelled');
  await expect(fetch(back)).rejects.toThrow();

  const broken = signInRig(fixture.url, { openBrowser: () => Promise.reject(new Error('there is none')) });
  expect(await problemOf(broken.signIn())).toBe('browser_not_opened');
  expect(broken.signIns.progress('fixture').problem).toMatchObject({ code: 'browser_not_opened' });
});

test('a port that another program has is said to be if a user chose it, else another one is registered', async () => {
  const fixture = await startAuthorization();
  const rig = signInRig(fixture.url);
  await rig.signIn();
  const { port } = JSON.parse(rig.keychain.entries.get(CLIENT) ?? '{}');
  const other = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void other.close());
  await rig.signIns.signIn('fixture');
  expect(fixture.registrations).toHaveLength(2);
  const chosen = signInRig(fixture.url, { config: { oauth: { callbackPort: port } } });
  expect(await problemOf(chosen.signIn())).toBe('port_taken');
});

test('signing out tells the service and leaves nothing', async () => {
  const fixture = await startAuthorization();
  const rig = signInRig(fixture.url);
  await rig.signIn();
  await rig.signIns.signOut('fixture');
  expect(fixture.requests).toContain('POST as/revoke');
  expect(rig.keychain.entries.size).toBe(0);
  await rig.connection.restart();
  expect(rig.connection.state.name).toBe('needs-sign-in');
});

test('tokens are for the address that they were got for, whatever the name means later', async () => {
  const [fixture, other] = [await startAuthorization(), await startAuthorization()];
  const rig = signInRig(fixture.url);
  await rig.signIn();
  const moved = signInRig(other.url, { keychain: rig.keychain });
  expect(await moved.signIns.account('fixture')?.token()).toBeUndefined();
  expect(await rig.signIns.account('fixture')?.token()).toMatch(/^access-/);
});
