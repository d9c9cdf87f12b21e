import fc from 'fast-check';
import { expect, test } from 'vitest';
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
    {
      subject: 'mcp-server',
      key: 'mcpServers.files',
      value: { transport: 'stdio', command: 'npx', args: ['x'], env: { A: '1' }, headers: {} },
    },
    {
      subject: 'mcp-server',
      key: 'mcpServers.web',
      value: { transport: 'http', url: 'https://w.example/mcp', args: [], env: {}, headers: {} },
    },
  ]);
});

test('nothing confirmed: nothing widens, everything else stands', () => {
  const inert = effectiveConfig(config, new Set());
  expect(grantsIn(inert)).toEqual([]);
  expect(inert.providers).toEqual({ vendor: { type: 'openai', model: 'm' } });
  expect(inert).toMatchObject({ model: 'local:qwen3', outboxSeconds: 5, limits: { rounds: 50 } });
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
