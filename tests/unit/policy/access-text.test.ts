import { expect, test } from 'vitest';
import type { McpAccess } from '../../../src-main/policy/access.ts';
import { describeAccess, shownClass } from '../../../src-main/policy/access-text.ts';
import { commandLine } from '../../../src-main/policy/commands/command-line.ts';

const request = {
  kind: 'request',
  class: 'network',
  url: 'https://a.example/b?c',
  host: 'a.example',
  method: 'GET',
} as const;
const serverTool: McpAccess = {
  kind: 'mcp',
  class: 'read',
  classFrom: 'user',
  server: 'files',
  tool: 'list',
  text: 'outside',
  remoteHost: null,
};
const file = { class: 'write', kind: 'file', path: '/w/a', outsideRoots: false } as const;

test.each<[Parameters<typeof describeAccess>[0], string]>([
  [file, 'change the file /w/a'],
  [{ ...file, isNew: true }, 'create the file /w/a'],
  [{ ...file, isFolder: true }, 'change the folder /w/a'],
  [{ ...file, class: 'read', outsideRoots: true }, 'read the file /w/a, outside the workspace and the granted folders'],
  [{ ...file, class: 'read', isSecret: true }, 'read the file /w/a, which usually contains secrets'],
  [request, 'GET https://a.example/b?c\nfrom a.example'],
  [{ ...request, method: 'POST' }, 'POST https://a.example/b?c\nto a.example'],
  [{ ...request, class: 'network-private' }, 'GET https://a.example/b?c\nfrom your own machine or network: a.example'],
  [
    { ...request, isMetadata: true },
    'GET https://a.example/b?c\nfrom a.example, which gives out a cloud machine’s credentials',
  ],
  [{ kind: 'mail', class: 'send', recipients: ['a@b.c', 'd@e.f'], text: 'Hi\nbye' }, 'send to a@b.c, d@e.f:\nHi\nbye'],
  [
    { kind: 'invitation', class: 'send', recipients: ['a@b.c', 'd@e.f'], external: ['d@e.f'], text: 'Lunch' },
    'invite a@b.c, d@e.f  (outside your organisation):\nLunch',
  ],
  [{ kind: 'account', class: 'read', account: 'gmail' }, 'read your mail'],
  [{ kind: 'account', class: 'write', account: 'calendar' }, 'change your calendar'],
  [
    { kind: 'account', class: 'write', account: 'calendar', calendar: 'team@acme.com' },
    'change the calendar team@acme.com, which other people may see',
  ],
  [
    { kind: 'variable', class: 'read', name: 'API_KEY', isPlain: false },
    'read the environment variable API_KEY, which may contain a secret',
  ],
  [
    { ...request, class: 'network-private', isArgument: true },
    'pass on the address https://a.example/b?c\nwhich leads to your own machine or network: a.example',
  ],
  [
    { ...serverTool, classFrom: 'claim' },
    'use list of the MCP server files\nThe server claims that this tool only reads. This is unverified.',
  ],
  [
    { ...serverTool, class: 'send', remoteHost: 'mcp.example.org' },
    'use list of the MCP server files, which runs at mcp.example.org\nYou said that this tool reaches other people.',
  ],
  [{ class: 'read', kind: 'app' }, "read Steward's own data"],
  [{ class: 'write', kind: 'app', memory: false }, "change Steward's own data"],
])('%j', (access, text) => {
  expect(describeAccess(access)).toBe(text);
});

test('a command is shown as it would be typed, with the ends of each word plain to see', () => {
  expect(commandLine({ kind: 'shell', line: 'ls | wc -l' })).toBe('ls | wc -l');
  expect(commandLine({ kind: 'argv', argv: ['git', 'commit', '-m', 'a b', '', 'größe=1'] })).toBe(
    'git commit -m "a b" "" größe=1',
  );
});

test.each([
  ['read', 'table', 'read'],
  ['read', 'user', 'read'],
  ['read', 'claim', 'unverified'],
  ['write', 'claim', 'unverified'],
  ['write', 'none', 'unverified'],
  ['send', 'claim', 'send'],
] as const)('a tool that is %s by %s is shown as %s', (mcpClass, classFrom, shown) => {
  expect(shownClass({ ...serverTool, class: mcpClass, classFrom })).toBe(shown);
});

test('only resources and prompts of a server can still be unreviewed: its tools were reviewed before they were offered', () => {
  const resources = { ...serverTool, tool: 'resources', content: 'resources' } as const;
  expect(shownClass({ ...resources, classFrom: 'claim' })).toBe('unreviewed');
  expect(shownClass(resources)).toBe('read');
});
