import { expect, test } from 'vitest';
import { FoundValues } from '../../../src-main/ipc/servers/found-values.ts';
import { pastedServers } from '../../../src-main/mcp/setup/pasted-servers.ts';
import { planServer } from '../../../src-main/mcp/setup/server-plan.ts';
import { keptValues } from '../../../src-main/mcp/setup/server-values.ts';
import { splitCommandWords } from '../../../src-main/policy/shell-words.ts';
import type { ServerForm } from '../../../src-preload/contract/servers.ts';

/** Steward as it is registered by hand at a service. */

const url = 'https://it.example.dev/mcp';
const KEY = 'ghs_q7Zr2mVbT90xLwKp41';
const reference = `\${keychain:OAUTH_CLIENT_SECRET}`;
const form = (registration: ServerForm['registration']): ServerForm => ({
  name: 'it',
  transport: 'http',
  command: '',
  args: [],
  env: [],
  url,
  headers: [],
  start: 'eager',
  timeoutSeconds: null,
  foundId: null,
  ...(registration === undefined ? {} : { registration }),
});

function planned(registration: ServerForm['registration'], entry?: unknown) {
  const plan = planServer(form(registration), { entry, kept: keptValues(entry), profileDirectory: '/profile' });
  if ('problems' in plan) throw new Error(JSON.stringify(plan.problems));
  return { oauth: plan.server.oauth, secrets: Object.fromEntries(plan.secrets), edits: plan.edits };
}

test('its secret goes to the keychain', () => {
  expect(planned({ clientId: ' 17.42 ', clientSecret: KEY, callbackPort: 41_890 })).toMatchObject({
    oauth: { clientId: '17.42', clientSecret: reference, callbackPort: 41_890 },
    secrets: { OAUTH_CLIENT_SECRET: KEY },
  });
});

test('a secret that somebody wrote into config.json moves to the keychain when the form is saved', () => {
  const entry = { transport: 'http', url, oauth: { clientId: 'a', clientSecret: KEY, scopes: ['repo'] } };
  expect(planned({ clientId: 'a', clientSecret: null, callbackPort: null }, entry)).toMatchObject({
    oauth: { clientId: 'a', clientSecret: reference, scopes: ['repo'] },
    secrets: { OAUTH_CLIENT_SECRET: KEY },
    edits: [{ path: ['oauth', 'clientSecret'], value: reference }],
  });
});

test('what is in the keychain stays there under its name, unless it is replaced', () => {
  const own = reference.replace('OAUTH_CLIENT_SECRET', 'MINE');
  const entry = { transport: 'http', url, oauth: { clientId: 'a', clientSecret: own } };
  expect(planned({ clientId: 'a', clientSecret: null, callbackPort: null }, entry)).toMatchObject({
    secrets: {},
    edits: [],
  });
  expect(planned({ clientId: 'a', clientSecret: KEY, callbackPort: null }, entry)).toMatchObject({
    secrets: { MINE: KEY },
    edits: [],
  });
});

test('a reference to the keychain is written as it is', () => {
  expect(planned({ clientId: 'a', clientSecret: reference, callbackPort: null })).toMatchObject({
    oauth: { clientSecret: reference },
    secrets: {},
  });
});

test('a form that says nothing of it changes nothing, and an emptied one removes it', () => {
  const entry = { transport: 'http', url, oauth: { clientId: 'a' } };
  expect(planned(undefined, entry).edits).toEqual([]);
  expect(planned(undefined).edits).not.toContainEqual(expect.objectContaining({ path: ['oauth'] }));
  expect(planned({ clientId: '', clientSecret: '', callbackPort: null }, entry).edits).toEqual([
    { path: ['oauth'], value: undefined },
  ]);
});

test.each([
  [JSON.stringify({ mcpServers: { it: { type: 'http', url, oauth: { clientId: '17.42', callbackPort: 3118 } } } })],
  [`claude mcp add --transport http --client-id 17.42 --client-secret --callback-port 3118 it ${url}`],
])('it is read from a set-up: %s', (text) => {
  const result = pastedServers(text, splitCommandWords);
  expect('problem' in result ? [] : result.servers).toMatchObject([
    { name: 'it', url, registration: { clientId: '17.42', clientSecret: '', callbackPort: 3118 }, remarks: [] },
  ]);
});

test('a placeholder is no client, and what is left out is said', () => {
  const oauth = { clientId: 'your-client-id', clientSecret: '<secret>', callbackPort: 70_000, audience: 'x' };
  const result = pastedServers(JSON.stringify({ mcpServers: { it: { url, oauth } } }), splitCommandWords);
  expect('problem' in result ? [] : result.servers).toMatchObject([
    {
      registration: { clientId: '', clientSecret: '', callbackPort: null },
      remarks: [{ code: 'left_out', key: 'oauth.audience' }],
    },
  ]);
});

test('its secret in a file of another program stays in main until the form is saved', () => {
  const found = new FoundValues();
  const oauth = { clientId: '17.42', clientSecret: KEY };
  const shown = found.shown(pastedServers(JSON.stringify({ mcpServers: { it: { url, oauth } } }), splitCommandWords));
  expect(JSON.stringify(shown)).not.toContain(KEY);
  const [server] = 'problem' in shown ? [] : shown.servers;
  expect(server?.registration).toEqual({ clientId: '17.42', clientSecret: null, callbackPort: null });
  expect(found.of(server?.foundId ?? null)).toMatchObject({ clientSecret: KEY });
});
