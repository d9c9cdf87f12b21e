import { expect, test } from 'vitest';
import { parseWindowArguments, withProfile } from '../../../src-main/desktop/command-line.ts';

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
    'out',
    '--workspace',
    '/w',
    '--profile',
    '/b',
  ]);
  expect(withProfile(['--profile=/a', '/w'], '/b')).toEqual(['/w', '--profile', '/b']);
  expect(withProfile(['--profile', '--workspace', '/w'], '/b')).toEqual(['--workspace', '/w', '--profile', '/b']);
  expect(parseWindowArguments(withProfile([], '/b b')).profile).toBe('/b b');
});
