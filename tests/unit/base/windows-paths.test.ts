import { expect, test } from 'vitest';
import { isRefusedWindowsSyntax } from '../../../src-main/base/paths.ts';

test.each([
  '\\\\server\\share\\x',
  '//server/share/x',
  '\\\\?\\C:\\x',
  '\\\\.\\pipe\\x',
  '\\/server\\x',
  'C:x',
  'c:',
  'C:\\a\\b.txt:stream',
  'a.txt::$DATA',
  'a.txt:hidden',
  'CON',
  'con.txt',
  'sub\\NUL',
  'sub/nul.tar.gz',
  'aux ',
  'COM1',
  'com¹',
  'LPT9.txt',
  'CONIN$',
  'CONOUT$.x',
  'CON .txt',
  'a.txt.',
  'a.txt ',
  'Steward. \\config.json',
])('on Windows %j is refused', (path) => {
  expect(isRefusedWindowsSyntax(path, 'win32')).toBe(true);
});

test.each([
  'C:\\a\\b.txt',
  'c:/a/b.txt',
  'a\\b.txt',
  '..\\a',
  './a/../b',
  'console.log',
  'com10',
  'nullable.ts',
  'auxiliary',
  '.git',
  'a b.txt',
])('on Windows %j is accepted as a path', (path) => {
  expect(isRefusedWindowsSyntax(path, 'win32')).toBe(false);
});

test('on other systems, only paths that can only be meant for Windows are refused', () => {
  for (const path of ['C:\\Windows\\System32', 'c:/Windows', '\\\\server\\share'])
    expect(isRefusedWindowsSyntax(path, 'linux')).toBe(true);
  for (const path of ['a:b', 'C:x', 'CON', 'a.txt.', '//a', 'a\\b', 'ab:/c'])
    expect(isRefusedWindowsSyntax(path, 'linux')).toBe(false);
});
