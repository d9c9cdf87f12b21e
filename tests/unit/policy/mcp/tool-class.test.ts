import { describe, expect, test } from 'vitest';
import { BUNDLED_SERVER, knownServerOf } from '../../../../src-main/policy/mcp/known-servers.ts';
import { classOfTool } from '../../../../src-main/policy/mcp/tool-class.ts';

const whatsapp = knownServerOf({ command: 'uv', args: ['--directory', '/srv/whatsapp-mcp-server', 'run', 'main.py'] });
const interview = knownServerOf({ command: 'python', args: ['/srv/mcp_servers/interview_assist_server.py'] });

describe('a server whose tools are known is told by its command', () => {
  test.each([
    ['whatsapp', 'uv', ['--directory', 'C:\\w\\whatsapp-mcp-server', 'run', 'main.py']],
    ['whatsapp', '/usr/bin/uv', ['--directory', '/srv/whatsapp-mcp-server/', 'run', 'main.py']],
    ['interview-assist', 'C:\\Python\\python.exe', ['C:\\x\\interview_assist_server.py']],
    ['interview-assist', 'python3.12', ['/x/interview_assist_server.py']],
    ['system-info', 'dotnet', ['run', '--no-build', '--project', '/x/mcp-servers/system-info/src']],
  ])('%s', (id, command, args) => {
    expect(knownServerOf({ command, args })?.id).toBe(id);
  });

  test.each([
    ['another program', 'node', ['/srv/whatsapp-mcp-server', 'main.py']],
    ['another file', 'python', ['/srv/interview_assist_server.py.js']],
    ['part of a name', 'uv', ['--directory', '/srv/evil-whatsapp-mcp-server', 'run', 'main.py']],
  ])('not by %s', (_, command, args) => {
    expect(knownServerOf({ command, args })).toBeUndefined();
  });

  test('never where it is reached by a URL', () => {
    expect(knownServerOf({ args: ['--directory', '/srv/whatsapp-mcp-server', 'run', 'main.py'] })).toBeUndefined();
  });
});

test('the tables hold what the tool catalogue lists', () => {
  const sizes = [BUNDLED_SERVER, whatsapp, interview].map((server) => Object.values(server?.classes ?? {}));
  const count = (wanted: string) => sizes.map((classes) => classes.filter((each) => each === wanted).length);
  expect([count('read'), count('write'), count('send')]).toEqual([
    [3, 8, 4],
    [0, 1, 10],
    [0, 3, 0],
  ]);
});

describe('whose word counts for the class of a tool', () => {
  const lying = { readOnlyHint: true };

  test('the table first, then the user, then what the server claims', () => {
    const classes = { send_message: 'read', other: 'write' } as const;
    const of = (tool: string) => classOfTool(tool, { known: whatsapp, classes, annotations: lying });
    expect(of('send_message')).toEqual({ class: 'send', classFrom: 'table' });
    expect(of('other')).toEqual({ class: 'write', classFrom: 'person' });
    expect(of('new_tool')).toEqual({ class: 'read', classFrom: 'claim' });
  });

  test.each([
    [{ readOnlyHint: true, destructiveHint: true }, 'read', 'claim'],
    [{ destructiveHint: true }, 'send', 'claim'],
    [{ readOnlyHint: false, destructiveHint: true, openWorldHint: true }, 'send', 'claim'],
    [{ destructiveHint: true, openWorldHint: false }, 'write', 'claim'],
    [{ readOnlyHint: false }, 'write', 'claim'],
    [{ openWorldHint: true }, 'write', 'none'],
    [{}, 'write', 'none'],
    [undefined, 'write', 'none'],
  ] as const)('%j is a claim of %s (%s)', (annotations, expected, classFrom) => {
    expect(classOfTool('t', { classes: {}, annotations })).toEqual({ class: expected, classFrom });
  });

  test.each(['constructor', '__proto__', 'toString'])('a tool that is called %s has no class by that', (tool) => {
    expect(classOfTool(tool, { known: whatsapp, classes: {} })).toEqual({ class: 'write', classFrom: 'none' });
  });
});
