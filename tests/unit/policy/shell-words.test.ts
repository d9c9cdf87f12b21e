import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainShellWords, splitCommandWords } from '../../../src-main/policy/shell-words.ts';

test.each([
  ['', []],
  ['  \t\n ', []],
  ['a b  c', ['a', 'b', 'c']],
  ['"a b" \'c d\'', ['a b', 'c d']],
  ['--x="a b"', ['--x=a b']],
  ['""', ['']],
  ["a '' b", ['a', '', 'b']],
  ['$HOME && echo pwned', ['$HOME', '&&', 'echo', 'pwned']],
  ['-e "console.log(1);console.error(2);process.exit(9)"', ['-e', 'console.log(1);console.error(2);process.exit(9)']],
  ['-e "print(\\"x\\")"', ['-e', 'print("x")']],
  ['C:\\Users\\ada\\a.txt', ['C:\\Users\\ada\\a.txt']],
  ['"C:\\Program Files\\x"', ['C:\\Program Files\\x']],
  ["'it\\'", ['it\\']],
  ['"a\'b"', ["a'b"]],
  ['*.txt | x', ['*.txt', '|', 'x']],
  ['größe 数', ['größe', '数']],
])('run_command gets %j as the words %j', (text, words) => {
  expect(splitCommandWords(text)).toEqual(words);
});

test.each([
  ['"a', 'double'],
  ["it's", 'single'],
  ['"a\\"', 'double'],
])('arguments with an open quote (%j) are refused by name', (text, kind) => {
  expect(() => splitCommandWords(text)).toThrow(`a ${kind} quote is not closed`);
});

test('any words come back from their quoted form', () => {
  const word = fc.string({ unit: 'binary' }).filter((text) => !text.includes("'"));
  fc.assert(
    fc.property(fc.array(word), (words) => {
      expect(splitCommandWords(words.map((text) => `'${text}'`).join(' '))).toEqual(words);
    }),
  );
});

test.each([
  ['git status', ['git', 'status']],
  ['  git   status  ', ['git', 'status']],
  ['git commit -m "a b; c | d > e"', ['git', 'commit', '-m', 'a b; c | d > e']],
  ["grep 'a$b*' x", ['grep', 'a$b*', 'x']],
  ['"git" status', ['git', 'status']],
  ['npm test --x=1', ['npm', 'test', '--x=1']],
  ["echo '' x", ['echo', '', 'x']],
  ['/usr/bin/ls -la ./a_b,c@d:e+f%g', ['/usr/bin/ls', '-la', './a_b,c@d:e+f%g']],
  ["cat 'größe.txt'", ['cat', 'größe.txt']],
])('the shell line %j is plain', (line, words) => {
  expect(plainShellWords(line, 'linux')).toEqual(words);
});

test.each([
  '',
  ' ',
  'a; b',
  'a && b',
  'a || b',
  'a | b',
  'a & b',
  'a &',
  'a > b',
  'a < b',
  'a 2>&1',
  'a $(b)',
  'a `b`',
  'a $HOME',
  'a "$HOME"',
  'a "$(b)"',
  'a "`b`"',
  'a <(b)',
  '(a)',
  '{ a; }',
  'a\nb',
  'a\rb',
  'a\tb',
  "a 'b\nc'",
  'A=1 b',
  'A+=1 b',
  'PATH=/tmp git status',
  'a *',
  'a ?',
  'a [b]',
  'a ~',
  'a ~root/x',
  'a x=~',
  'a {b,c}',
  'a \\b',
  "a '\\b'",
  'a "\\b"',
  'a !b',
  "a 'b!'",
  'a # b',
  'a#b',
  'a "b',
  "a 'b",
  "a $'b'",
  'a\u00a0b',
  'a\u3000b',
  'a\u202eb',
  "a '\u202eb'",
  "a '\u200b'",
  "a '\u2066b'",
  "a '\u00a0'",
  "a '\u115f'",
  "a '\u{e0041}'",
  "a '\ufe0f'",
  "a '\u2800'",
  "a '\ud800'",
  'a \u0000b',
  "a '\u001b[2J'",
  'größe x',
  'time git status',
  'if a',
  'coproc git status',
  "'' a",
  '%1',
  '[ a ]',
  '[[ a ]]',
])('the shell line %j is not plain', (line) => {
  expect(plainShellWords(line, 'linux')).toBeNull();
});

test('on Windows only bare words are plain, because cmd.exe has its own quotes and variables', () => {
  expect(plainShellWords('git status -s', 'win32')).toEqual(['git', 'status', '-s']);
  for (const line of [
    'git %PATH%',
    'git "a b"',
    "git 'a & b'",
    'git ^& x',
    'git a=b',
    'git a,b',
    'git a;b',
    'a&b',
    '',
  ]) {
    expect(plainShellWords(line, 'win32')).toBeNull();
  }
});
