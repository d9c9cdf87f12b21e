import { expect, test } from 'vitest';
import { parseCommand } from '../../../src-main/assistant/commands.ts';
import { parseAskArguments, UsageError } from '../../../src-main/headless/arguments.ts';

test.each([
  ['list the files', { kind: 'message', text: 'list the files' }],
  ['/read_file {"file_path":"a b"}', { kind: 'tool', name: 'read_file', input: '{"file_path":"a b"}' }],
  ['/get_time', { kind: 'tool', name: 'get_time', input: '' }],
  ['/get_time   {} ', { kind: 'tool', name: 'get_time', input: '{}' }],
  [
    '/write_file {"file_path":"a",\n "content":"x"}',
    { kind: 'tool', name: 'write_file', input: '{"file_path":"a",\n "content":"x"}' },
  ],
  ['/system-info__disk_info', { kind: 'tool', name: 'system-info__disk_info', input: '' }],
  ['/tools', { kind: 'tools', verb: 'list', names: [] }],
  ['/tools disable bash web_*', { kind: 'tools', verb: 'disable', names: ['bash', 'web_*'] }],
  ['/TOOLS Enable Bash', { kind: 'tools', verb: 'enable', names: ['Bash'] }],
  ['/review', { kind: 'review' }],
  ['/undo', { kind: 'undo', callId: undefined }],
  ['/undo toolu_01', { kind: 'undo', callId: 'toolu_01' }],
  ['/redo', { kind: 'redo', callId: undefined }],
  ['/redo toolu_01', { kind: 'redo', callId: 'toolu_01' }],
  ['/provider use flash', { kind: 'provider', verb: 'use', name: 'flash' }],
  ['/provider use my flash', { kind: 'provider', verb: 'use', name: 'my flash' }],
  ['/provider', { kind: 'provider', verb: 'list', name: '' }],
  ['/provider List', { kind: 'provider', verb: 'list', name: '' }],
  ['/provider USE "My Flash"', { kind: 'provider', verb: 'use', name: 'My Flash' }],
  ['/data restore steward-2026.db', { kind: 'data', verb: 'restore', name: 'steward-2026.db' }],
  ['/etc/hosts', { kind: 'message', text: '/etc/hosts' }],
  ['/etc/hosts what is this?', { kind: 'message', text: '/etc/hosts what is this?' }],
  ['/etc/hosts\n/etc/passwd', { kind: 'message', text: '/etc/hosts\n/etc/passwd' }],
  ['/usr/bin/env {"a": 1}', { kind: 'message', text: '/usr/bin/env {"a": 1}' }],
  ['// a comment', { kind: 'message', text: '// a comment' }],
  ['/* a comment */', { kind: 'message', text: '/* a comment */' }],
  ['/ hello', { kind: 'message', text: '/ hello' }],
  ['/nothing_known of this', { kind: 'tool', name: 'nothing_known', input: 'of this' }],
  ['/a {}\n/b {}', { kind: 'message', text: '/a {}\n/b {}', callsTools: true }],
])('%s is understood', (prompt, command) => {
  expect(parseCommand(prompt)).toEqual(command);
});

test.each(['/undo two ids', '/redo two ids', '/review all', '/tools enable', '/provider use', '/data restore', '/'])(
  '%s is refused with what to do',
  (prompt) => {
    const command = parseCommand(prompt);
    expect(command.kind).toBe('unusable');
    expect(command).toHaveProperty('message', expect.stringContaining('/help'));
  },
);

test('the arguments of ask', () => {
  expect(parseAskArguments(['--profile', 'p', '--approve', 'reads', '--json', 'two', 'words'])).toMatchObject({
    profile: 'p',
    approve: 'reads',
    json: true,
    prompt: 'two words',
  });
});

test.each([
  [['--help'], 'help'],
  [['-h'], 'help'],
  [['--json', '--help', 'words'], 'help'],
  [['--version'], 'version'],
])('%j only asks for the %s', (argv, information) => {
  expect(parseAskArguments(argv)).toBe(information);
});

test.each([
  [['--approve', 'some', 'x'], 'none, reads or all'],
  [['--nope', 'x'], '--nope'],
  [[], 'prompt'],
  [['  '], 'prompt'],
  [['--model', '', 'x'], '--model needs a value'],
  [['--profile'], '--profile'],
])('%j is refused and says why', (argv, reason) => {
  expect(() => parseAskArguments(argv)).toThrow(UsageError);
  expect(() => parseAskArguments(argv)).toThrow(reason);
});
