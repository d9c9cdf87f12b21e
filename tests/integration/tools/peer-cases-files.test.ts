import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allowAll } from '../../fixtures/allow-all.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import {
  accessDenied,
  appended,
  couldNotFind,
  directoryDoesNotExist,
  directoryNotFound,
  fileNotFound,
  filesIn,
  isDirectory,
  isNoDirectory,
  isRequired,
  leftUnchanged,
  mustBe,
  noFileToAppendTo,
  replaced,
  stringNotFound,
} from '../../fixtures/tool-texts.ts';

/*
 * What the tests and issue threads of comparable assistants ask of their file tools, answered as the tool catalogue has it.
 */

let tools: ToolHarness;
beforeAll(() => {
  tools = new ToolHarness({ consent: allowAll, folders: ['extra'] });
  for (const [path, content] of FILES) tools.put(path, content);
  symlinkSync('/etc', join(tools.workspace, 'etc'));
  symlinkSync('loop', join(tools.workspace, 'loop'));
  symlinkSync('/etc/not-there', join(tools.workspace, 'leads-out'));
});
afterAll(() => tools.dispose());

const FILES: readonly (readonly [string, string | Uint8Array])[] = [
  ['five.txt', 'L1\nL2\nL3\nL4\nL5\n'],
  ['open-end.txt', 'a\nb\nc'],
  ['carriage.txt', 'a\rb\rc'],
  ['separator.txt', 'a\u2028b\nc\n'],
  ['sub/in.txt', 'nested'],
  ['binary', Buffer.from([0, 1, 2, 3, 255])],
  ['../extra/granted.txt', 'granted'],
  ['../ws-evil/x.txt', 'sibling'],
  ['../secret.txt', 'secret'],
];

/** In texts of this file `$W` is the workspace, `$B` the folder above it. */
const filled = (text: string) => text.replaceAll('$W', tools.workspace).replaceAll('$B', tools.base);
const fileOf = (path: string) => readFileSync(join(tools.workspace, path), 'utf8');

const DENIED = accessDenied('file', '$W');
const missing = couldNotFind;
const ALL = 'L1\nL2\nL3\nL4\nL5\n';

describe('read_file', () => {
  test.each<[Record<string, unknown>, string]>([
    [{ file_path: 'five.txt', offset: 2, limit: 2 }, 'L2\nL3\n'],
    [{ file_path: 'five.txt', offset: 0 }, ALL],
    [{ file_path: 'five.txt', offset: -3 }, ALL],
    [{ file_path: 'five.txt', offset: '2', limit: '1' }, 'L2\n'],
    [{ file_path: 'five.txt', limit: 0 }, ''],
    [{ file_path: 'five.txt', limit: -5 }, ALL],
    [{ file_path: 'five.txt', offset: 5 }, 'L5\n'],
    [{ file_path: 'five.txt', offset: 6 }, ''],
    [{ file_path: 'five.txt', offset: 1e20 }, ''],
    [{ file_path: 'five.txt', limit: 1e20 }, ALL],
    [{ file_path: 'five.txt', offset: 2.9, limit: 1.2 }, 'L2\n'],
    [{ file_path: 'five.txt', offset: 'abc', limit: null }, ALL],
    [{ file_path: 'open-end.txt', offset: 3 }, 'c'],
    [{ file_path: 'carriage.txt', offset: 2 }, ''],
    [{ file_path: 'separator.txt', limit: 1 }, 'a\u2028b\n'],
    [{ file_path: 'binary' }, '\0\u0001\u0002\u0003ÿ'],
    [{ file_path: './sub/in.txt' }, 'nested'],
    [{ file_path: './././sub//in.txt' }, 'nested'],
    [{ file_path: 'nowhere/../sub/in.txt' }, 'nested'],
    [{ file_path: '$W/sub/in.txt' }, 'nested'],
    [{ file_path: '/$W/sub/in.txt' }, 'nested'],
    [{ file_path: '$B/extra/granted.txt' }, 'granted'],
    [{ file_path: '../extra/granted.txt' }, 'granted'],
    [{ path: 'sub/in.txt', file_path: '' }, 'nested'],
    [{ path: 'sub/in.txt', file_path: null }, 'nested'],
    [{ path: 'sub/in.txt', file_path: 'nope' }, missing('nope')],
    [{ file_path: '../../etc/passwd' }, DENIED],
    [{ file_path: '/etc/passwd' }, DENIED],
    [{ file_path: '/proc/self/environ' }, DENIED],
    [{ file_path: '//five.txt' }, DENIED],
    [{ file_path: '$B/ws-evil/x.txt' }, DENIED],
    [{ file_path: '../secret.txt' }, DENIED],
    [{ file_path: '..' }, DENIED],
    [{ file_path: 'etc/passwd' }, DENIED],
    [{ file_path: 'leads-out' }, DENIED],
    [{ file_path: 'C:\\Windows\\System32\\x' }, DENIED],
    [{ file_path: '\\\\server\\share\\x' }, DENIED],
    [{ file_path: '~/x' }, missing('~/x')],
    [{ file_path: 'file:///etc/passwd' }, missing('file:///etc/passwd')],
    [{ file_path: '%2e%2e/%2e%2e/etc/passwd' }, missing('%2e%2e/%2e%2e/etc/passwd')],
    [{ file_path: '...' }, missing('...')],
    [{ file_path: ' five.txt' }, missing(' five.txt')],
    [{ file_path: '"five.txt"' }, missing('"five.txt"')],
    [{ file_path: 'sub\\in.txt' }, missing('sub\\in.txt')],
    [{ file_path: 'five.txt/x' }, missing('five.txt/x')],
    [{ file_path: 5 }, missing('5')],
    [{ file_path: '.' }, isDirectory('Error reading file: ')],
    [{ file_path: '$W' }, isDirectory('Error reading file: ')],
    [{ file_path: ['five.txt'] }, mustBe('file_path', 'string', 'Error reading file: ')],
    [{ filePath: 'five.txt' }, isRequired('file_path', 'Error reading file: ')],
  ])('%j', async (input, expected) => {
    const given = Object.entries(input).map(([key, value]) => [key, typeof value === 'string' ? filled(value) : value]);
    expect(await tools.text('read_file', Object.fromEntries(given))).toBe(filled(expected));
  });

  test.each(['read', 'READ', 'Read_File'])('is called %s too', async (name) => {
    expect(await tools.text(name, { file_path: 'sub/in.txt' })).toBe('nested');
  });

  test('a link that leads to itself is an error, not a hang', async () => {
    const { decision, result } = await tools.turn('read_file', { file_path: 'loop' });
    expect(decision).toMatchObject({ answer: 'deny', reason: { code: 'impossible' } });
    expect(result).toMatchObject({
      outcome: 'failed',
      text: expect.stringMatching(/^Error reading file: .*symbolic links/),
    });
  });
});

describe('list_files and list_directory', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['list_files', { directory: 'sub/' }, 'sub/in.txt'],
    ['list_files', { directory: './sub//.' }, 'sub/in.txt'],
    ['list_files', { directory: '../ws/sub', recursive: 'TRUE' }, 'sub/in.txt'],
    ['list_files', { directory: '../extra' }, '../extra/granted.txt'],
    ['list_files', { directory: 'five.txt' }, directoryNotFound('five.txt')],
    ['list_files', { directory: '~' }, directoryNotFound('~')],
    ['list_files', { directory: 'etc' }, accessDenied('directory', '$W')],
    ['list_files', { directory: '/' }, accessDenied('directory', '$W')],
    ['list_files', { directory: '../ws-evil' }, accessDenied('directory', '$W')],
    ['list_directory', { path: 'sub' }, filesIn('$W/sub', '- in.txt (file)')],
    ['list_directory', { path: '../extra' }, filesIn('$B/extra', '- granted.txt (file)')],
    ['list_directory', { path: 'five.txt/' }, isNoDirectory],
    ['list_directory', { path: '/not/there' }, accessDenied('directory', '$W')],
  ])('%s %j', async (name, input, expected) => {
    expect(await tools.text(name, input)).toBe(filled(expected));
  });
});

describe('write_file and append_file', () => {
  test.each<[string, Record<string, unknown>, string]>([
    [
      'write_file',
      { file_path: 'w/object.json', content: { a: 1 } },
      mustBe('content', 'string', 'Error writing file: '),
    ],
    ['write_file', { file_path: 'w/null.txt', content: null }, isRequired('content', 'Error writing file: ')],
    ['write_file', { file_path: '', content: 'x' }, isRequired('file_path', 'Error writing file: ')],
    ['write_file', { file_path: 'new/', content: 'x' }, isDirectory('Error writing file: ')],
    ['write_file', { file_path: 'sub', content: 'x' }, isDirectory('Error writing file: ')],
    [
      'write_file',
      { file_path: 'five.txt/x', content: 'x' },
      'Error writing file: ENOTDIR: not a directory: five.txt/x',
    ],
    ['write_file', { file_path: 'leads-out', content: 'x' }, DENIED],
    ['write_file', { file_path: 'etc/x', content: 'x' }, DENIED],
    ['write_file', { file_path: 'q/r.txt', content: 'x', create_directories: 'false' }, directoryDoesNotExist('$W/q')],
    ['append_file', { path: 'five.txt', content: null }, isRequired('content', 'Error appending to file: ')],
    ['append_file', { path: '.', content: 'x' }, isDirectory('Error appending to file: ')],
    ['append_file', { path: 'no/where.txt', content: 'x' }, noFileToAppendTo('no/where.txt')],
    ['append_file', { path: '../secret.txt', content: 'x' }, DENIED],
  ])('%s %j is refused', async (name, input, expected) => {
    expect(await tools.call(name, input)).toEqual({ text: filled(expected), isError: true });
    expect(readFileSync(join(tools.base, 'secret.txt'), 'utf8')).toBe('secret');
    expect(fileOf('five.txt')).toBe(ALL);
  });

  test.each([
    ['blanks & (signs) [x].txt', 'x'],
    ['日本/ファイル.txt', 'あ'],
    ['🎉.txt', '\uFEFFmark'],
    ['-rf', 'a\r\nb\n'],
    ['number.txt', 5],
    ['truth.txt', true],
  ])('%s is written as it is given', async (file_path, content) => {
    expect(await tools.text('write_file', { file_path, content })).toBe('OK');
    expect(fileOf(file_path)).toBe(String(content));
  });

  test('concurrent appends are written in order, and a program stays executable', async () => {
    tools.put('grows.sh', 'Start');
    chmodSync(join(tools.workspace, 'grows.sh'), 0o755);
    for (const content of ['1', '2', '\nLine', '']) {
      expect(await tools.text('append_file', { file_path: 'grows.sh', content })).toBe(appended('grows.sh'));
    }
    expect(fileOf('grows.sh')).toBe('Start12\nLine');
  });
});

describe('edit', () => {
  const ONE = replaced(1);
  const more = (left: number) => `${ONE}\n${leftUnchanged(left)}`;
  const NOT_FOUND = stringNotFound;

  test.each<[string, Record<string, unknown>, string, string]>([
    ['foo', { old_string: 'foo', new_string: "bar$'baz" }, "bar$'baz", ONE],
    ['prefix-middle-suffix', { old_string: 'middle', new_string: 'new$`x' }, 'prefix-new$`x-suffix', ONE],
    ['test string', { old_string: 'test', new_string: '$1$2$$' }, '$1$2$$ string', ONE],
    ["m('^[sv]d[a-z]$')", { old_string: "'^[sv]d[a-z]$'", new_string: "'$&'" }, "m('$&')", ONE],
    ['a.b axb', { old_string: 'a.b', new_string: 'Q', replace_all: true }, 'Q axb', ONE],
    ['aaa', { old_string: 'aa', new_string: 'b', replace_all: true }, 'ba', ONE],
    ['aaa', { old_string: 'a', new_string: 'aa', replace_all: true }, 'aaaaaa', replaced(3)],
    ['x x x', { old_string: 'x', new_string: 'y' }, 'y x x', more(2)],
    ['x x x', { old_string: 'x', new_string: 'y', replace_all: 'true' }, 'y y y', replaced(3)],
    ['x x', { old_string: 'x', new_string: 'y', replace_all: 'yes' }, 'y x', more(1)],
    ['abc', { old_string: 'abc', new_string: '' }, '', ONE],
    ['abc', { old_string: 'a', new_string: 'a' }, 'abc', ONE],
    ['abc', { old_string: 'B', new_string: 'x' }, 'abc', NOT_FOUND],
    ['', { old_string: 'x', new_string: 'y' }, '', NOT_FOUND],
    ['end', { old_string: 'end\n', new_string: 'y' }, 'end', NOT_FOUND],
    ['\tif (x) {', { old_string: '    if (x) {', new_string: 'y' }, '\tif (x) {', NOT_FOUND],
    ['a\u00a0b', { old_string: 'a b', new_string: 'y' }, 'a\u00a0b', NOT_FOUND],
    ['caf\u00e9 cafe\u0301', { old_string: 'caf\u00e9', new_string: 'X', replace_all: true }, 'X cafe\u0301', ONE],
    ['🎉🎊', { old_string: '🎊', new_string: 'X' }, '🎉X', ONE],
    ['  Indented  ', { old_string: '  Indented  ', new_string: 'M' }, 'M', ONE],
    ['l1\r\nT\r\nl3\r\n', { old_string: 'T\n', new_string: 'R\n' }, 'l1\r\nR\r\nl3\r\n', ONE],
    ['l1\r\nT\r\nl3\r\n', { old_string: 'T', new_string: 'R1\nR2' }, 'l1\r\nR1\r\nR2\r\nl3\r\n', ONE],
    ['l1\nT\nl3\n', { old_string: 'T\r\n', new_string: 'R\r\n' }, 'l1\nR\nl3\n', ONE],
    ['l1\r\nl2\nl3', { old_string: 'l1\nl2', new_string: 'A\nB' }, 'A\r\nB\nl3', ONE],
    ['\uFEFFhello', { old_string: 'hello', new_string: 'x' }, '\uFEFFx', ONE],
    ['a\0b', { old_string: 'a', new_string: 'c' }, 'c\0b', ONE],
    ['5', { old_string: 5, new_string: 6 }, '6', ONE],
    ['abc', { old_string: '', new_string: 'x' }, 'abc', isRequired('old_string')],
    ['abc', { old_string: 'b', new_string: null }, 'abc', isRequired('new_string')],
  ])('%j %j', async (before, input, after, expected) => {
    tools.put('edited.txt', before);
    expect(await tools.text('edit', { file_path: 'edited.txt', ...input })).toBe(expected);
    expect(fileOf('edited.txt')).toBe(after);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ file_path: 'none.txt' }, fileNotFound('none.txt')],
    [{ file_path: 'sub' }, isDirectory()],
    [{ file_path: '../secret.txt' }, DENIED],
    [{}, isRequired('file_path')],
  ])('%j is refused', async (input, expected) => {
    const change = { old_string: 'a', new_string: 'b' };
    expect(await tools.text('edit', { ...change, ...input })).toBe(filled(expected));
  });
});
