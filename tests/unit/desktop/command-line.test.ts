import { expect, test } from 'vitest';
import { debuggingSwitch, parseWindowArguments, withProfile } from '../../../src-main/desktop/command-line.ts';

test('profile and workspace are found among whatever else stands on the command line', () => {
  const argv = [
    '--no-sandbox',
    '-psn_0_12345',
    'app',
    '--profile',
    '/p',
    '--enable-features=X',
    '--workspace=/w',
    'file',
  ];
  expect(parseWindowArguments(argv)).toEqual({ profile: '/p', workspace: '/w' });
  expect(parseWindowArguments(['--profile'])).toEqual({ profile: undefined, workspace: undefined });
  expect(parseWindowArguments(['--profile', '  '])).toEqual({ profile: undefined, workspace: undefined });
  expect(parseWindowArguments([])).toEqual({ profile: undefined, workspace: undefined });
});

test('another profile replaces the one that was given, and nothing else', () => {
  expect(withProfile(['out', '--profile', '/a', '--workspace', '/w'], '/b')).toEqual([
    ...['out', '--workspace', '/w', '--profile', '/b'],
  ]);
  expect(withProfile(['--profile=/a', '/w'], '/b')).toEqual(['/w', '--profile', '/b']);
  expect(withProfile(['--profile', '--workspace', '/w'], '/b')).toEqual(['--workspace', '/w', '--profile', '/b']);
  expect(parseWindowArguments(withProfile([], '/b b')).profile).toBe('/b b');
});

test.each([
  '--remote-debugging-port=9222',
  '--remote-debugging-port',
  '-remote-debugging-port=9222',
  '/remote-debugging-port=9222',
  '--remote-debugging-pipe',
  '--remote-debugging-address=0.0.0.0',
  '--remote-allow-origins=*',
  '--inspect',
  '--inspect=0',
  '--inspect-brk=9229',
  '--inspect-port=9229',
  '--debug-port=1',
  '--REMOTE-DEBUGGING-PORT=1',
])('a packaged app does not start with %s', (argument) => {
  expect(debuggingSwitch(['--profile', '/p', argument])).toBe(argument.split('=')[0]);
});

test('other switches are none of a debugger', () => {
  expect(debuggingSwitch(['--profile', '/inspections', '--no-sandbox', '--inspector-free', 'remote-debugging'])).toBe(
    undefined,
  );
});
