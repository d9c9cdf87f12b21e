import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effectiveConfig, grantsIn } from '../../../src-main/settings/permission-grants.ts';
import { readConfig } from '../../../src-main/settings/read-config.ts';

const { config } = readConfig(
  {
    workingDirectory: '/srv/work',
    folders: ['/srv/a', '/srv/b'],
    model: 'local:qwen3',
    providers: {
      local: { type: 'ollama', model: 'qwen3', baseUrl: 'http://127.0.0.1:1' },
      vendor: { type: 'openai', model: 'm' },
    },
    mcpServers: { files: { command: 'npx', args: ['x'], env: { A: '1' } }, web: { url: 'https://w.example/mcp' } },
    endpoints: { anthropic: 'http://127.0.0.1:2/p', brave: 'http://127.0.0.1:3' },
    updates: { check: true },
    outboxSeconds: 5,
  },
  '/profile',
);

test('every value that widens power is an item with its exact value', () => {
  expect(grantsIn(config)).toEqual([
    { subject: 'workspace', key: 'workingDirectory', value: '/srv/work' },
    { subject: 'folder', key: 'folders[/srv/a]', value: '/srv/a' },
    { subject: 'folder', key: 'folders[/srv/b]', value: '/srv/b' },
    { subject: 'endpoint', key: 'endpoints.anthropic', value: 'http://127.0.0.1:2/p' },
    { subject: 'endpoint', key: 'endpoints.brave', value: 'http://127.0.0.1:3' },
    { subject: 'provider', key: 'providers.local.baseUrl', value: { type: 'ollama', baseUrl: 'http://127.0.0.1:1' } },
    { subject: 'update-check', key: 'updates.check', value: true },
    {
      subject: 'mcp-server',
      key: 'mcpServers.files',
      value: { transport: 'stdio', command: 'npx', args: ['x'], env: { A: '1' }, headers: {} },
      holder: {
        server: 'files',
        key: 'mcpServers[files].identity',
        identity: { command: 'npx', args: ['x'], env: { A: '1' } },
      },
    },
    {
      subject: 'mcp-server',
      key: 'mcpServers.web',
      value: { transport: 'http', url: 'https://w.example/mcp', args: [], env: {}, headers: {} },
      holder: {
        server: 'web',
        key: 'mcpServers[web].identity',
        identity: { url: 'https://w.example/mcp' },
      },
    },
  ]);
});

test('nothing confirmed: nothing widens, everything else stands', () => {
  const inert = effectiveConfig(config, new Set());
  expect(grantsIn(inert)).toEqual([]);
  expect(inert.providers).toEqual({ vendor: { type: 'openai', model: 'm' } });
  expect(inert).toMatchObject({
    model: 'local:qwen3',
    outboxSeconds: 5,
    limits: { rounds: 50 },
    updates: { check: false },
  });
});

test('exactly the confirmed items take effect', () => {
  const all = grantsIn(config);
  fc.assert(
    fc.property(fc.subarray(all), (confirmed) => {
      const keys = new Set(confirmed.map(({ key }) => key));
      expect(grantsIn(effectiveConfig(config, keys))).toEqual(confirmed);
    }),
  );
  expect(effectiveConfig(config, new Set(all.map(({ key }) => key)))).toEqual(config);
});

describe('what a server may do beyond being there', () => {
  const servers = (server: Record<string, unknown>) =>
    readConfig({ mcpServers: { files: { command: 'npx', ...server } } }, '/profile').config;
  const effective = (server: Record<string, unknown>, ...confirmed: string[]) =>
    effectiveConfig(servers(server), new Set(['mcpServers.files', ...confirmed])).mcpServers.files;

  test('how its tools are classed and whose text it brings are confirmed apart from its command', () => {
    const [launch, ...others] = grantsIn(
      servers({ classes: { list: 'read', mail: 'send' }, text: 'own', start: 'lazy' }),
    );
    expect(launch).toEqual(grantsIn(servers({}))[0]);
    expect(others).toEqual([
      { subject: 'mcp-classes', key: 'mcpServers[files].classes', value: { list: 'read', mail: 'send' } },
      { subject: 'mcp-text', key: 'mcpServers[files].text', value: 'own' },
    ]);
  });

  test('until then only what makes more ask counts', () => {
    const server = { classes: { list: 'read', mail: 'send', save: 'write' }, text: 'public' };
    expect(effective(server)).toMatchObject({ classes: { mail: 'send' } });
    expect(effective(server)?.text).toBeUndefined();
    const confirmed = effective(server, 'mcpServers[files].classes', 'mcpServers[files].text');
    expect(confirmed).toMatchObject(server);
  });

  test('what only makes more ask needs no grant', () => {
    expect(grantsIn(servers({ classes: { mail: 'send' }, text: 'outside', enabled: false }))).toHaveLength(1);
    expect(grantsIn(readConfig({ mcpServers: { 'system-info': { enabled: false } } }, '/profile').config)).toEqual([]);
  });

  test('a server elsewhere is told the folders only once that was confirmed; one on this machine unless it is switched off', () => {
    const remote = { command: undefined, url: 'https://mcp.example.org/', roots: true };
    expect(grantsIn(servers(remote)).slice(1)).toEqual([
      { subject: 'mcp-roots', key: 'mcpServers[files].roots', value: 'https://mcp.example.org/' },
    ]);
    expect(effective(remote)).not.toHaveProperty('roots');
    expect(effective(remote, 'mcpServers[files].roots')).toHaveProperty('roots', true);
    for (const roots of [true, false]) {
      expect(grantsIn(servers({ roots }))).toHaveLength(1);
      expect(effective({ roots })).toHaveProperty('roots', roots);
    }
    expect(effective({ ...remote, roots: false })).toHaveProperty('roots', false);
  });

  test('a server whose name looks like the key of a grant confirms nothing for another', () => {
    const config = readConfig(
      {
        mcpServers: {
          files: { command: 'a', classes: { list: 'read' } },
          'files.classes': { command: 'b' },
          'files].classes': { command: 'c' },
        },
      },
      '/profile',
    ).config;
    const keys = grantsIn(config).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    const others = keys.filter((key) => !key.startsWith('mcpServers['));
    expect(effectiveConfig(config, new Set(others)).mcpServers.files?.classes).toEqual({});
  });

  test('another sign-in is another server', () => {
    const [launch] = grantsIn(servers({ oauth: { clientId: 'me' } }));
    expect(launch?.value).toMatchObject({ oauth: { clientId: 'me' } });
  });
});
