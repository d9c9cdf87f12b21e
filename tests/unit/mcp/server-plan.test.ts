import { describe, expect, test } from 'vitest';
import { planServer } from '../../../src-main/mcp/setup/server-plan.ts';
import type { ServerForm } from '../../../src-preload/contract/servers.ts';
import { programForm } from '../../fixtures/mcp/program-form.ts';

const ref = (name: string) => `\${keychain:${name}}`;
const KEY = 'ntn_5f2b8c1d9e3a7460';
const nothingKept = { env: {}, headers: {}, keys: {} };

const typed = (name: string, value: string, more: Partial<ServerForm['env'][number]> = {}) => ({
  name,
  value,
  isSecret: false,
  before: '',
  after: '',
  ...more,
});

function planned(more: Partial<ServerForm>, entry?: unknown) {
  const plan = planServer(programForm(more), { entry, kept: nothingKept, profileDirectory: '/profile' });
  if ('problems' in plan) throw new Error(JSON.stringify(plan.problems));
  const { args, env } = plan.server;
  return { args, env, secrets: Object.fromEntries(plan.secrets), decisive: [...plan.decisive] };
}

describe('a key typed into a value that was none when it was pasted goes to the keychain', () => {
  test('a variable whose value now holds a key', () => {
    const headers = `{"Authorization": "Bearer ${KEY}"}`;
    expect(planned({ env: [typed('OPENAPI_MCP_HEADERS', headers)] })).toMatchObject({
      env: { OPENAPI_MCP_HEADERS: ref('OPENAPI_MCP_HEADERS') },
      secrets: { OPENAPI_MCP_HEADERS: headers },
    });
  });

  test('what stands around the field stays in config.json', () => {
    expect(planned({ env: [typed('AUTH', KEY, { before: 'Bearer ', after: ' v2' })] })).toMatchObject({
      env: { AUTH: `Bearer ${ref('AUTH')} v2` },
      secrets: { AUTH: KEY },
    });
    expect(planned({ env: [typed('GREETING', 'ada', { before: 'hello ', after: '!' })] })).toMatchObject({
      env: { GREETING: 'hello ada!' },
      secrets: {},
    });
  });

  test.each([
    ['alone', 'Bearer ', ''],
    ['with the word that is there already', '', 'Bearer '],
    ['with the word in both places', 'Bearer ', 'bearer '],
  ])('a token after its scheme: %s', (_name, before, word) => {
    const headers = [typed('Authorization', `${word}${KEY}`, { before })];
    const given = programForm({ transport: 'http', url: 'https://it.example/mcp', headers });
    const plan = planServer(given, { entry: undefined, kept: nothingKept, profileDirectory: '/profile' });
    if ('problems' in plan) throw new Error(JSON.stringify(plan.problems));
    expect(plan.server.headers).toEqual({ Authorization: `Bearer ${ref('Authorization')}` });
    expect([...plan.secrets]).toEqual([['Authorization', KEY]]);
  });

  test('unless the user chose to keep it in the file', () => {
    expect(planned({ env: [typed('API_KEY', KEY, { isChosen: true })] })).toMatchObject({
      env: { API_KEY: KEY },
      secrets: {},
    });
  });

  test.each<[string, readonly string[], readonly string[], Readonly<Record<string, string>>]>([
    ['an option and its value', ['--api-key', KEY], ['--api-key', ref('API_KEY')], { API_KEY: KEY }],
    ['an option with its value', [`--token=${KEY}`], [`--token=${ref('TOKEN')}`], { TOKEN: KEY }],
    [
      'a header',
      ['-H', `Authorization: Bearer ${KEY}`],
      ['-H', `Authorization: Bearer ${ref('AUTHORIZATION')}`],
      { AUTHORIZATION: KEY },
    ],
    [
      'a variable of a container',
      ['-e', `API_TOKEN=${KEY}`],
      ['-e', `API_TOKEN=${ref('API_TOKEN')}`],
      { API_TOKEN: KEY },
    ],
    ['an address with a password', ['postgres://u:secret@db/x'], [ref('KEY')], { KEY: 'postgres://u:secret@db/x' }],
    [
      'two of one name',
      ['--token', KEY, '--token', `${KEY}2`],
      ['--token', ref('TOKEN'), '--token', ref('TOKEN_2')],
      { TOKEN: KEY, TOKEN_2: `${KEY}2` },
    ],
    ['a number', ['--max-tokens', '128000'], ['--max-tokens', '128000'], {}],
    ['a file', ['--token-file', '/home/ada/token.txt'], ['--token-file', '/home/ada/token.txt'], {}],
    ['a switch', ['--auth', 'none'], ['--auth', 'none'], {}],
    ['a package', ['-y', '@scope/server-token'], ['-y', '@scope/server-token'], {}],
    ['an option after a switch', ['--no-token', '--verbose-output'], ['--no-token', '--verbose-output'], {}],
  ])('in arguments: %s', (_name, args, written, secrets) => {
    expect(planned({ args: [...args] })).toMatchObject({ args: written, secrets });
  });

  test('an argument that config.json already has stays as it is', () => {
    const args = ['--api-key', 'written-by-hand-1'];
    const entry = { command: 'npx', args };
    expect(planned({ args: [...args, '--verbose'] }, entry)).toMatchObject({
      args: [...args, '--verbose'],
      secrets: {},
    });
  });
});

describe('keys of references in arguments', () => {
  const args = ['--api-key', ref('API_KEY')];

  test('are kept under their names, if the arguments still refer to them', () => {
    const keys = [
      { name: 'API_KEY', value: KEY },
      { name: 'GONE', value: 'unused' },
    ];
    expect(planned({ args, keys })).toEqual({ args, env: {}, secrets: { API_KEY: KEY }, decisive: [] });
    expect(planned({ args, keys: [{ name: 'API_KEY', value: null }] }).secrets).toEqual({});
  });

  test('those of another program’s file come from main', () => {
    const kept = { ...nothingKept, keys: { API_KEY: KEY } };
    const given = programForm({ args, keys: [{ name: 'API_KEY', value: null }] });
    const plan = planServer(given, { entry: undefined, kept, profileDirectory: '/profile' });
    expect('secrets' in plan && Object.fromEntries(plan.secrets)).toEqual({ API_KEY: KEY });
  });
});

describe('nothing that decides what is run is hidden behind a reference', () => {
  test.each<[string, Partial<ServerForm>, readonly string[]]>([
    ['a package', { args: ['-y', ref('PKG')], keys: [{ name: 'PKG', value: 'evil-server' }] }, ['PKG']],
    [
      'an address of a package',
      { args: [ref('X')], keys: [{ name: 'X', value: 'https://a:b@evil.example/x.tgz' }] },
      ['X'],
    ],
    ['code', { args: ['-e', ref('X')], keys: [{ name: 'X', value: 'import("evil")' }] }, ['X']],
    ['an option', { env: [typed('NODE_OPTIONS', '--require=/tmp/evil.js', { isSecret: true })] }, ['NODE_OPTIONS']],
    ['a library', { env: [typed('LD_PRELOAD', '/tmp/evil.so', { isSecret: true })] }, ['LD_PRELOAD']],
    ['a key by its option', { args: [`--token=${ref('T')}`], keys: [{ name: 'T', value: 'anything' }] }, []],
    ['a key by its shape', { args: [ref('T')], keys: [{ name: 'T', value: 'ghp_0123456789abcdefABCD' }] }, []],
    ['a key in a variable', { env: [typed('MY_LOGIN', 'hunter22', { isSecret: true })] }, []],
  ])('%s', (_name, given, decisive) => {
    expect(planned(given).decisive).toEqual(decisive);
  });
});
