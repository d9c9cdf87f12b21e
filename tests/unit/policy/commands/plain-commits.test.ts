import { expect, test } from 'vitest';
import { isPlainCommits } from '../../../../src-main/policy/commands/git/plain-commits.ts';

const isPlain = (line: string) => isPlainCommits({ kind: 'shell', line }, 'linux');

test.each([
  'git add -A && git commit -m "Change it"',
  "git add src/*.ts 'a b.txt' && git commit -m x",
  'git commit -am "Change it" 2>&1',
  'git commit -a --message="Change it" --author="Ada <ada@example.com>"',
  'git commit -F message.txt',
  'git commit --amend --no-edit',
  'git add -u && git commit -q -m "Change it" -m "Because." && git status --short',
  'git rm -r --cached build && git restore --staged c',
  'git switch -c topic && git checkout -b topic/two && git log --oneline -3',
])('plain: %s', (line) => expect(isPlain(line)).toBe(true));

test.each([
  ['another program', 'git add -A && make && git commit -m x'],
  ['another program after a semicolon', 'git add -A; touch .git/commondir'],
  ['a pipe', 'git commit -m x | tee .git/commondir'],
  ['a program with that name elsewhere', './git add -A'],
  ['a path to it', '/usr/bin/git add -A'],
  ['another program that starts it', 'env git add -A'],
  ['a substitution', 'git commit -m "$(touch .git/commondir)"'],
  ['a variable', 'git commit -m "$MESSAGE"'],
  ['a variable before it', 'GIT_DIR=sub git add -A'],
  ['a redirection into .git', 'git status > .git/commondir'],
  ['a file that could be moved into .git', 'git mv a .git/commondir'],
  ['files of the working tree that it deletes', 'git rm -r src'],
  ['a setting', 'git -c core.fsmonitor=./evil add -A'],
  ['another folder', 'git -C sub add -A'],
  ['a subcommand that changes settings', 'git config core.fsmonitor ./evil'],
  ['one that checks files out', 'git switch main'],
  ['one that checks another commit out', 'git switch -c topic origin/main'],
  ['an option as the name of a branch', 'git switch -c --orphan'],
  ['one that runs a line of its own', 'git rebase -x ./evil main'],
  ['one that undoes work', 'git reset --hard'],
  ['one that the table has not', 'git stash'],
  ['a name that every object has', 'git constructor'],
  ['an editor', 'git commit'],
  ['an editor for the message', 'git commit -m x --edit'],
  ['an editor for the last message', 'git commit --amend'],
  ['an editor for the changes', 'git add -e'],
  ['questions', 'git add -p'],
  ['a signature', 'git commit -S -m x'],
  ['a signature in other words', 'git commit --gpg-sign=x -m x'],
  ['a trailer, whose command Git runs', 'git commit -m x --trailer sign=x'],
  ['a shortened option', 'git commit --gpg -m x'],
  ['files of the working tree', 'git restore README.md'],
  ['a file that could be named -S', 'git commit -m x *'],
  ['an option that depends on files', 'git commit -m x --e*'],
  ['nothing', ''],
  ['no subcommand', 'git'],
])('not plain, because of %s: %s', (_, line) => expect(isPlain(line)).toBe(false));

test('words without a shell are taken as they are', () => {
  const isPlainWords = (...argv: readonly string[]) => isPlainCommits({ kind: 'argv', argv }, 'linux');
  expect(isPlainWords('git', 'commit', '-m', 'Change it\n\nBecause; of *')).toBe(true);
  expect(isPlainWords('git', 'commit', '-m', 'x', '--edit')).toBe(false);
  expect(isPlainWords('sh', '-c', 'git add -A')).toBe(false);
});
