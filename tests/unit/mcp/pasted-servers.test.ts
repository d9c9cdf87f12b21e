import { expect, test } from 'vitest';
import { pastedServers } from '../../../src-main/mcp/setup/pasted-servers.ts';
import { splitCommandWords } from '../../../src-main/policy/shell-words.ts';

const NPX = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/srv'] };
const input = (id: string) => `\${input:${id}}`;
const json = (value: unknown) => JSON.stringify(value, undefined, 2);

/** Of the only server in it. */
function pasted(text: string) {
  const result = pastedServers(text, splitCommandWords);
  if ('problem' in result) throw new Error(json(result.problem));
  expect(result.servers).toHaveLength(1);
  const [server] = result.servers;
  if (server === undefined) throw new Error('no server');
  return server;
}

const problemOf = (text: string) => {
  const result = pastedServers(text, splitCommandWords);
  return 'problem' in result ? result.problem : 'none';
};

test.each([
  ['claude_desktop_config.json', json({ mcpServers: { files: NPX } }), 'files'],
  ['settings with more in them', json({ theme: 'dark', McpServers: { files: NPX } }), 'files'],
  ["VS Code's mcp.json", json({ inputs: [], servers: { files: { type: 'stdio', ...NPX } } }), 'files'],
  ["VS Code's settings.json", json({ mcp: { servers: { files: NPX } } }), 'files'],
  ['servers without a section', json({ files: NPX }), 'files'],
  ['a member without its braces', `"files": ${json(NPX)},`, 'files'],
  ['one object', json(NPX), 'filesystem'],
  ['one object with its name', json({ name: 'files', ...NPX }), 'files'],
  ['a command line', 'npx -y @modelcontextprotocol/server-filesystem /srv', 'filesystem'],
  ['a command line with its prompt', '$ npx -y @modelcontextprotocol/server-filesystem /srv', 'filesystem'],
  ["VS Code's link", `vscode:mcp/install?${encodeURIComponent(json({ name: 'files', ...NPX }))}`, 'files'],
  [
    "Cursor's link",
    `cursor://anysphere.cursor-deeplink/mcp/install?name=files&config=${Buffer.from(json(NPX)).toString('base64')}`,
    'files',
  ],
  [
    "Cursor's link with a whole line",
    `cursor://anysphere.cursor-deeplink/mcp/install?name=files&config=${Buffer.from(json({ command: [NPX.command, ...NPX.args].join(' ') })).toString('base64')}`,
    'files',
  ],
])('%s gives the server', (_what, text, name) => {
  expect(pasted(text)).toMatchObject({ ...NPX, name, transport: 'stdio', env: [], remarks: [] });
});

test('remote servers keep their transport and their headers', () => {
  const entry = { type: 'sse', url: 'https://mcp.example.org/sse', headers: { Authorization: 'Bearer abc' } };
  expect(pasted(json({ servers: { tracker: entry } }))).toMatchObject({
    name: 'tracker',
    transport: 'sse',
    url: entry.url,
    command: '',
    headers: [{ name: 'Authorization', value: 'Bearer abc', isSecret: true }],
  });
  expect(pasted('https://mcp.example.org/mcp')).toMatchObject({ name: 'example', transport: 'http' });
  expect(pasted(json({ a: { url: 'https://x.example/mcp', type: 'streamable-http' } })).transport).toBe('http');
});

test('what another program would ask for becomes a secret to be entered', () => {
  const entry = {
    command: 'npx',
    args: ['tracker', `--key=${input('key')}`],
    env: { TOKEN: input('token'), AUTH: `Bearer ${input('token')} v1`, API_KEY: 'abc', MODE: 'quiet' },
  };
  const server = pasted(json({ inputs: [{ id: 'token', type: 'promptString' }], servers: { tracker: entry } }));
  const blank = { hint: 'token', description: null, isOptional: false, choices: [] };
  expect(server.env).toEqual([
    { name: 'TOKEN', value: '', isSecret: true, before: '', after: '', blank },
    { name: 'AUTH', value: '', isSecret: true, before: 'Bearer ', after: ' v1', blank },
    { name: 'API_KEY', value: 'abc', isSecret: true, before: '', after: '' },
    { name: 'MODE', value: 'quiet', isSecret: false, before: '', after: '' },
  ]);
  expect(server.remarks).toEqual([{ code: 'key_in_argument', name: 'KEY' }]);
  expect(server.args).toEqual(['tracker', `--key=\${keychain:KEY}`]);
});

test('permissions of other programs are named and not taken over', () => {
  const entry = { ...NPX, autoApprove: ['write_file'], alwaysAllow: ['*'], disabled: true, cwd: '/srv' };
  const server = pasted(json({ mcpServers: { files: entry } }));
  expect(server.remarks).toEqual([{ code: 'approval' }, { code: 'disabled' }, { code: 'left_out', key: 'cwd' }]);
  expect(JSON.stringify(server)).not.toContain('write_file');
});

test('a command line may name variables', () => {
  expect(pasted('API_KEY=abc MODE="a b" uvx some-mcp-server --x')).toMatchObject({
    name: 'some',
    command: 'uvx',
    args: ['some-mcp-server', '--x'],
    env: [
      { name: 'API_KEY', value: 'abc', isSecret: true },
      { name: 'MODE', value: 'a b', isSecret: false },
    ],
  });
});

test('several servers come in their order', () => {
  const result = pastedServers(json({ mcpServers: { b: NPX, a: { url: 'https://x.example' } } }), splitCommandWords);
  expect('servers' in result && result.servers.map(({ name }) => name)).toEqual(['b', 'a']);
});

test('what is wrong is named with its place', () => {
  expect(problemOf('  ')).toEqual({ code: 'empty' });
  expect(problemOf('{\n  "mcpServers": {\n    "a": { "command": npx }\n  }\n}')).toMatchObject({
    code: 'bad_json',
    line: 3,
    column: 23,
  });
  expect(problemOf('"a": { "command": npx }')).toMatchObject({ code: 'bad_json', line: 1, column: 19 });
  expect(problemOf('[1, 2]')).toEqual({ code: 'not_an_object' });
  expect(problemOf('{"theme": "dark"}')).toEqual({ code: 'no_servers' });
  expect(problemOf(json({ mcpServers: {} }))).toEqual({ code: 'no_servers' });
  expect(problemOf(json({ mcpServers: { b: { args: [] } } }))).toEqual({
    code: 'bad_entries',
    entries: [{ name: 'b', code: 'no_reach', text: '' }],
  });
  expect(problemOf('npx "unclosed')).toEqual({ code: 'unclosed_quote' });
  expect(problemOf('hello')).toEqual({ code: 'no_servers' });
  expect(problemOf('vscode:mcp/install?%E0%A4%A')).toEqual({ code: 'bad_link' });
  expect(problemOf('vscode:mcp/install?nothing')).toEqual({ code: 'bad_link' });
  expect(problemOf('vscode://file/etc/passwd')).toEqual({ code: 'unknown_link' });
  expect(problemOf('cursor://anysphere.cursor-deeplink/mcp/install?name=x')).toEqual({ code: 'bad_link' });
});
