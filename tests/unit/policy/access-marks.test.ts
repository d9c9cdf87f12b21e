import { expect, test } from 'vitest';
import type { Access, McpAccess } from '../../../src-main/policy/access.ts';
import { marksOfAccess } from '../../../src-main/policy/access-marks.ts';

const inWorkspace = (real: string) => real.replace(/^\/w\/?/, '');
const file = { class: 'read', kind: 'file', path: '/w/a', outsideRoots: false } as const;
const secretFile = { ...file, path: '/w/.env', isSecret: true } as const;
const variable = { kind: 'variable', class: 'read', name: 'LANG', isPlain: true } as const;
const serverTool: McpAccess = {
  kind: 'mcp',
  class: 'read',
  classFrom: 'user',
  server: 'files',
  tool: 'list',
  text: 'outside',
  remoteHost: null,
};

test.each<[Access, readonly string[]]>([
  [file, ['private file a']],
  [{ ...file, class: 'write' }, ['private file a']],
  [{ ...file, path: '/repo/README.md', outsideRoots: true }, ['private file /repo/README.md']],
  [{ ...file, isFolder: true, path: '/w' }, ['private files in the workspace']],
  [{ ...file, isFolder: true, path: '/w/src' }, ['private files in src']],
  [{ ...file, isForUser: true }, ['private whether a exists']],
  [{ ...secretFile, isForUser: true }, ['private whether .env exists']],
  [{ ...file, isFolder: true, path: '/w', isForUser: true }, ['private whether the workspace exists']],
  [secretFile, ['private file .env', 'secret file .env']],
  [
    { kind: 'command', class: 'execute', command: { kind: 'shell', line: 'make' }, directory: '/w' },
    ['private output of make'],
  ],
  [variable, ['private environment variable LANG']],
  [
    { ...variable, name: 'PIN', isPlain: false },
    ['private environment variable PIN', 'secret environment variable PIN'],
  ],
  [{ kind: 'request', class: 'network', url: 'https://a.example/', host: 'a.example', method: 'GET' }, []],
  [{ class: 'write', kind: 'app', memory: true }, []],
  [serverTool, ['untrusted list of the MCP server files', 'private list of the MCP server files']],
  [{ ...serverTool, text: 'public' }, ['untrusted list of the MCP server files']],
  [{ ...serverTool, text: 'own' }, ['private list of the MCP server files']],
  [
    { kind: 'client', class: 'write', requiresPermission: false, client: 'Editor', tool: 'OpenFile' },
    ['untrusted OpenFile of the program Editor', 'private OpenFile of the program Editor'],
  ],
  [{ kind: 'account', class: 'read', account: 'gmail' }, ['private your mail']],
  [{ kind: 'account', class: 'write', account: 'calendar' }, ['private your calendar']],
  [{ kind: 'mail', class: 'send', recipients: ['a@b.c'], text: 'Hi' }, []],
])('what comes of %j', (access, marks) => {
  expect(marksOfAccess([access, access], inWorkspace).map(({ kind, source }) => `${kind} ${source}`)).toEqual(marks);
});
