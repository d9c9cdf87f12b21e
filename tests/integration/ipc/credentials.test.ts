import { expect, onTestFinished, test, vi } from 'vitest';
import type { CredentialList } from '../../../src-preload/contract/credentials.ts';
import type { ProviderList } from '../../../src-preload/contract/providers.ts';
import { browse, startAuthorization } from '../../fixtures/mcp/authorization.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { SOON, WindowRig } from '../../fixtures/window-rig.ts';

const KEY = 'sk-ant-api03-the-right-one';
const SERVER_SECRET = 'a-secret-of-a-server';
const list = (rig: WindowRig) => rig.request<CredentialList>('credentials.list');

test('every key is listed with where it is kept and when it was used, and can be tested; its value never is', async () => {
  const api = await startMessagesApi({ validKeys: [KEY], turns: [{ text: 'Hello.' }] });
  onTestFinished(() => api.close());
  const rig = new WindowRig({
    env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: api.url, GOOGLE_CLIENT_ID: 'x.apps.googleusercontent.com' },
  });
  const before = await list(rig);
  // There is no keychain in this session.
  expect(before.keychain).toEqual({ kind: 'memory' });
  expect(before.keys).toMatchObject([
    { name: 'anthropic-api-key', source: 'environment', canBeTested: true, lastUsedAt: null },
    { name: 'google-client-id', source: 'environment', canBeTested: false },
  ]);
  expect(await rig.request('credentials.testKey', { name: 'anthropic-api-key' })).toMatchObject({ works: true });
  expect(await rig.code('credentials.testKey', { name: 'brave-api-key' })).toBe('unknown_key');
  // There is one truth about a key: Claude, which uses it, does not say that it was never tested.
  const claude = async () => (await rig.request<ProviderList>('providers.list')).rows[0]?.test;
  expect(await claude()).toMatchObject({ works: true, code: 'ok' });
  rig.hasGesture = false;
  expect(await rig.code('credentials.testKey', { name: 'anthropic-api-key' })).toBe('no_gesture');
  rig.hasGesture = true;

  const startedAt = Date.now();
  await rig.turn('hello');
  const after = await list(rig);
  expect(Date.parse(after.keys[0]?.lastUsedAt ?? '')).toBeGreaterThanOrEqual(startedAt);
  expect(JSON.stringify([before, after])).not.toContain(KEY);
});

test('values of MCP servers are listed by what their configuration refers to, and only those can be removed', async () => {
  const rig = new WindowRig();
  const given = (name: string, isSecret: boolean) => ({
    name,
    value: isSecret ? SERVER_SECRET : 'x',
    isSecret,
    before: '',
    after: '',
  });
  const form = {
    name: 'notes',
    transport: 'stdio',
    command: 'no-such-program',
    args: [],
    url: '',
    headers: [],
    start: 'lazy',
    env: [given('TOKEN', true), given('PLAIN', false)],
    timeoutSeconds: null,
    foundId: null,
  };
  const adding = rig.request('servers.add', { form });
  await rig.answer({ answer: 'once' });
  await adding;
  const shown = await list(rig);
  expect(shown.serverSecrets).toMatchObject([
    {
      server: 'notes',
      name: 'TOKEN',
      entry: 'Steward/mcp/notes/TOKEN',
      isSet: true,
      keptIn: 'memory',
      lastUsedAt: null,
    },
  ]);
  expect(JSON.stringify(shown)).not.toContain(SERVER_SECRET);

  expect(await rig.code('credentials.removeServerSecret', { server: 'notes', name: 'PLAIN' })).toBe('unknown_secret');
  expect(await rig.code('credentials.removeServerSecret', { server: 'other', name: 'TOKEN' })).toBe('unknown_secret');
  const token = { server: 'notes', name: 'TOKEN' };
  rig.hasGesture = false;
  expect(await rig.code('credentials.removeServerSecret', token)).toBe('no_gesture');
  rig.hasGesture = true;
  expect((await list(rig)).serverSecrets[0]?.isSet).toBe(true);
  const left = await rig.request<CredentialList>('credentials.removeServerSecret', token);
  expect(left.serverSecrets.map(({ isSet }) => isSet)).toEqual([false]);
});

test('the sign-in to a server is listed with its scopes and expiry, without a token', async () => {
  const fixture = await startAuthorization();
  const rig = new WindowRig({ config: { mcpServers: { notes: { url: fixture.url } } } });
  await rig.request('settings.get');
  const confirming = rig.request('settings.confirmPending');
  await rig.answer({ answer: 'once' });
  await confirming;
  expect((await list(rig)).signIns).toEqual([]);
  const signingIn = rig.request('serverSignIn.signIn', { server: 'notes' });
  await rig.answer({ answer: 'once' });
  await vi.waitFor(() => expect(rig.opened).toHaveLength(1), SOON);
  await browse(rig.opened[0] ?? '');
  await signingIn;
  const shown = await list(rig);
  expect(shown.signIns).toMatchObject([{ server: 'notes', entry: 'Steward/mcp/notes/oauth:tokens', keptIn: 'memory' }]);
  expect(shown.signIns[0]?.scopes).toContain('notes:read');
  for (const secret of fixture.secrets) expect(JSON.stringify(shown)).not.toContain(secret);
});
