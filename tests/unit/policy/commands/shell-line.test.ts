import { expect, test } from 'vitest';
import { bareWindowsWords, parseShellLine } from '../../../../src-main/policy/commands/shell-line.ts';

/** Commands as lists of words, pipelines as lists of commands. */
const commandsOf = (line: string) =>
  parseShellLine(line)?.pipelines.map((pipeline) => pipeline.map(({ words }) => words.map(({ text }) => text))) ?? null;

test.each([
  ['git status', ['git', 'status']],
  ['  git   status  ', ['git', 'status']],
  ['git commit -m "a b; c | d > e"', ['git', 'commit', '-m', 'a b; c | d > e']],
  ["grep 'a$b*' x", ['grep', 'a$b*', 'x']],
  ['"git" status', ['git', 'status']],
  ["echo '' x", ['echo', '', 'x']],
  ['/usr/bin/ls -la ./a_b,c@d:e+f%g', ['/usr/bin/ls', '-la', './a_b,c@d:e+f%g']],
  ["cat 'größe.txt'", ['cat', 'größe.txt']],
  ['grep "\\.ts$" x', ['grep', '\\.ts$', 'x']],
  ['git show HEAD~2 stash@{0}', ['git', 'show', 'HEAD~2', 'stash@{0}']],
  ["sed 's/!b/c/' a#b", ['sed', 's/!b/c/', 'a#b']],
])('%j is one command', (line, words) => {
  expect(commandsOf(line)).toEqual([[words]]);
});

test('commands are joined by | and &&, and nothing else', () => {
  expect(commandsOf("ls | grep 'a|b' && wc -l x")).toEqual([[['ls'], ['grep', 'a|b']], [['wc', '-l', 'x']]]);
  for (const joint of ['||', ';', '&', '|&', ';;', '| |', '&& &&', '\n', '&\n&'])
    expect(parseShellLine(`ls ${joint} wc`)).toBeNull();
});

test('a redirection is one to nowhere, or of errors to the output', () => {
  const redirections = (line: string) => parseShellLine(line)?.pipelines[0]?.[0]?.redirections ?? null;
  expect(redirections('npm test 2>&1')).toEqual(['2>&1']);
  expect(redirections('npm test >/dev/null 2>&1')).toEqual(['>/dev/null', '2>&1']);
  expect(redirections('npm test 2> /dev/null')).toEqual(['2>/dev/null']);
  for (const line of [
    'a > b',
    'a >> /dev/null',
    'a 1>&2',
    'a 2>&3',
    'a >/dev/nullx',
    'a &>/dev/null',
    'a < b',
    '> /dev/null',
  ])
    expect(redirections(line)).toBeNull();
});

test('a pattern is a wildcard outside quotes only', () => {
  const [, ...words] = parseShellLine("wc *.md 'a*' src/?.ts")?.pipelines[0]?.[0]?.words ?? [];
  expect(words.map(({ wildcards }) => wildcards)).toEqual([[0], [], [4]]);
});

test.each([
  '',
  ' ',
  '|',
  'a |',
  '&& a',
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
  'a \\\nb',
  'a\\',
  'A=1 b',
  'A+=1 b',
  'PATH=/tmp git status',
  'a [b]',
  'a ~',
  'a ~root/x',
  'a x=~',
  'a x:~',
  'a {b,c}',
  'a {1..3}',
  'a # b',
  'a "b',
  "a 'b",
  "a $'b'",
  'a $"b"',
  'a\u00a0b',
  'a\u3000b',
  'a\u202eb',
  "a '\u202eb'",
  "a '\u200b'",
  "a '\u2066b'",
  "a '\u00a0'",
  "a '\u2028'",
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
  '[[ a ]]',
  '! a',
  '* a',
  '/bin/l? a',
  'a !(b)',
])('what a shell makes of %j is not beyond doubt', (line) => {
  expect(parseShellLine(line)).toBeNull();
});

test('on Windows only bare words are beyond doubt, because cmd.exe has its own quotes and variables', () => {
  expect(bareWindowsWords('git status -s')).toEqual(['git', 'status', '-s']);
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
    'del/q x',
  ])
    expect(bareWindowsWords(line)).toBeNull();
});
