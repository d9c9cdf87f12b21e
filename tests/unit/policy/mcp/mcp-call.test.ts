import { afterAll, expect, test } from 'vitest';
import { createHttpClient } from '../../../../src-main/network/http-client.ts';
import { TEMPLATE_SERVERS } from '../../../../src-main/policy/mcp/known-servers.ts';
import {
  annotationsIn,
  effectsOfMcpCall,
  type McpServerFacts,
  PathNotReal,
  remoteHostOf,
} from '../../../../src-main/policy/mcp/mcp-call.ts';
import { AccessDenied } from '../../../../src-main/policy/roots.ts';

const http = createHttpClient();
afterAll(() => http.close());

const server: McpServerFacts = { server: 'files', text: 'outside', remoteHost: null, classes: { fetch: 'read' } };
const file = { class: 'read', kind: 'file', path: '/w/a.png', outsideRoots: false } as const;
const ports = {
  http,
  wasFile: async () => false,
  files: {
    resolve: async (given: string) => {
      if (!given.startsWith('/w/')) throw new AccessDenied('file', '/w', undefined);
      return { access: () => file };
    },
  },
};

test('a call touches its tool, and each host that its arguments name', async () => {
  const input = { url: 'https://Example.org/a', also: ['http://2130706433/', 'https://bank.example@evil.example/'] };
  const accesses = await effectsOfMcpCall(server, { tool: 'fetch', inputSchema: {}, input }, ports);
  expect(accesses).toMatchObject([
    {
      kind: 'mcp',
      server: 'files',
      tool: 'fetch',
      class: 'read',
      classFrom: 'user',
      text: 'outside',
      remoteHost: null,
    },
    {
      kind: 'request',
      class: 'network',
      url: 'https://example.org/a',
      host: 'example.org',
      method: 'GET',
      isArgument: true,
    },
    { kind: 'request', class: 'network-private', url: 'http://127.0.0.1/', host: '127.0.0.1', isArgument: true },
    { class: 'network', host: 'evil.example', isArgument: true },
  ]);
  expect(accesses).toHaveLength(4);
});

test('the host of another scheme is judged by what it is', async () => {
  const input = { dsn: 'postgres://0x7f.1/db' };
  const [, address] = await effectsOfMcpCall(server, { tool: 'q', inputSchema: {}, input }, ports);
  expect(address).toMatchObject({ class: 'network-private', host: '127.0.0.1' });
});

test('a file that a known server would send must be one that tools may read', async () => {
  const known = TEMPLATE_SERVERS.whatsapp;
  const call = (media_path: string) =>
    effectsOfMcpCall(
      { ...server, known },
      { tool: 'send_file', inputSchema: {}, input: { recipient: '49', media_path } },
      ports,
    );
  expect(await call('/w/a.png')).toMatchObject([{ kind: 'mcp', class: 'send', classFrom: 'table' }, file]);
  await expect(call('/etc/passwd')).rejects.toThrow(AccessDenied);
  // The server would look for it in its own folder, or behind a link that may lead elsewhere by then.
  await expect(call('/w/./b.png')).rejects.toThrow(new PathNotReal('media_path', '/w/a.png').message);
});

test('a server on this machine is not remote, however that is written', () => {
  for (const url of [
    'http://localhost:3000/mcp',
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://[::1]:9/',
    'http://a.localhost/',
  ])
    expect(remoteHostOf(url)).toBeNull();
  expect(remoteHostOf('https://Mcp.Example.org/mcp')).toBe('mcp.example.org');
  expect(remoteHostOf('http://192.168.0.2/mcp')).toBe('192.168.0.2');
});

test('annotations of any shape are read as far as they are hints', () => {
  expect(annotationsIn({ readOnlyHint: 'true', destructiveHint: false })).toEqual({ destructiveHint: false });
  expect(annotationsIn(null)).toEqual({});
});
