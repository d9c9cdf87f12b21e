import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src-main/settings/read-config.ts';
import { serverIdentity } from '../../../src-main/settings/server-identity.ts';

type Bag = Readonly<Record<string, unknown>>;

function identityOf(entry: Bag) {
  const server = readConfig({ mcpServers: { it: entry } }, '/profile').config.mcpServers.it;
  if (server === undefined) throw new TypeError('the entry is invalid');
  return serverIdentity(server);
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how config.json names a keychain entry
const KEY = '${keychain:TOKEN}';
const local = { command: 'npx', args: ['-y', 'mail-server'], env: { TOKEN: KEY } };
const remote = { url: 'https://mcp.example.org/mail/mcp?mode=1' };

describe('another server', () => {
  test.each<[string, Bag, Bag]>([
    ['another program', local, { ...local, command: '/tmp/npx' }],
    ['another package', local, { ...local, args: ['-y', 'evil-server'] }],
    ['a package that is loaded too', local, { ...local, args: ['-y', '-p', 'evil', 'mail-server'] }],
    ['another version', local, { ...local, args: ['-y', 'mail-server@2'] }],
    ['an argument with more reach', local, { ...local, args: [...local.args, '--allow-write'] }],
    [
      'a server that a bridge reaches',
      { command: 'npx', args: ['mcp-remote', 'https://a.example'] },
      { command: 'npx', args: ['mcp-remote', 'https://b.example'] },
    ],
    ['code in a variable', local, { ...local, env: { ...local.env, NODE_OPTIONS: '--require=/tmp/evil.js' } }],
    ['programs found elsewhere', local, { ...local, env: { ...local.env, PATH: '/tmp' } }],
    ['a key beside other text', local, { ...local, env: { TOKEN: `--require=/tmp/evil.js ${KEY}` } }],
    ['another host', remote, { url: 'https://evil.example/mail/mcp' }],
    ['another port', remote, { url: 'https://mcp.example.org:8443/mail/mcp' }],
    ['no TLS', { url: 'https://127.0.0.1/mcp' }, { url: 'http://127.0.0.1/mcp' }],
    ['another path, since one host may serve many', remote, { url: 'https://mcp.example.org/evil/mcp' }],
    ['another server behind a gateway', remote, { url: 'https://mcp.example.org/mail/mcp?mode=2' }],
    ['a URL instead of a program', local, remote],
  ])('%s', (_, before, after) => {
    expect(identityOf(after)).not.toEqual(identityOf(before));
  });
});

describe('the same server', () => {
  test.each<[string, Bag, Bag]>([
    ['another key', local, { ...local, env: { TOKEN: KEY, SECOND: KEY } }],
    ['a later start', local, { ...local, start: 'lazy', timeoutSeconds: 5 }],
    ['classes and text', local, { ...local, classes: { a: 'read' }, text: 'own' }],
    ['headers', remote, { ...remote, headers: { 'X-Key': KEY } }],
    ['the default port', remote, { url: 'https://MCP.example.org:443/mail/mcp?mode=1' }],
    ['the other transport', remote, { ...remote, transport: 'sse' }],
  ])('%s', (_, before, after) => {
    expect(identityOf(after)).toEqual(identityOf(before));
  });
});
