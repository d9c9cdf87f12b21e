import { expect, test } from 'vitest';
import { repeatedCommand } from '../../../../src-main/policy/commands/repeated-command.ts';

const argv = (...words: readonly string[]) => repeatedCommand({ kind: 'argv', argv: words }, 'linux');
const line = (text: string) => repeatedCommand({ kind: 'shell', line: text }, 'linux');

test.each(['npm install', 'git push', 'make; wc', 'curl https://example.com | tee x', 'npm install &&\nnpm audit'])(
  '%j has one, for exactly its words',
  (text) => {
    expect(line(text)?.line).toBe(text);
    expect(line(text)?.hash).toBe(line(text)?.hash);
    expect(line(`${text} `)?.hash).not.toBe(line(text)?.hash);
  },
);

test('commands that a rule can cover have none, and neither have those that nobody could read', () => {
  expect(line('npm test')).toBeUndefined();
  expect(argv('npm', 'test')).toBeUndefined();
  expect(line(`npm install ${'x'.repeat(1_000)}`)).toBeUndefined();
  expect(line('npm install \u202Eabc')).toBeUndefined();
  expect(line('echo a; echo b\u200B')).toBeUndefined();
});

test('long commands that begin alike are different ones', () => {
  const long = `npm install ${'package-with-a-long-name '.repeat(20)}`;
  expect(line(`${long}a`)?.hash).not.toBe(line(`${long}b`)?.hash);
});

test('git commit is the same with another message, as words and as a line', () => {
  const first = line('git commit -m "one"')?.hash;
  for (const text of ["git commit -m 'two; rm -rf /'", 'git commit -m three', 'git commit -m --amend'])
    expect(line(text)?.hash, text).toBe(first);
  expect(argv('git', 'commit', '-m', 'four')?.hash).toBe(first);
  expect(line('git commit -am "one"')?.hash).toBe(line('git commit -am "two"')?.hash);
  expect(line('git commit -am "one"')?.hash).not.toBe(first);
});

test.each([
  'git commit -m one --amend',
  'git commit -m one --no-verify',
  'git commit -m one -- file',
  'git commit -m one file',
  'git commit -m one -F other',
  'git commit -F -m one',
  'git commit --author=x -m one',
  'git -c core.hooksPath=/tmp commit -m one',
  'git commit -m one && git push',
  'git commit -m one > file',
  'git commit -m "$(cat secret)"',
  'git commit -m "$X"',
  'GIT_DIR=/tmp git commit -m one',
  '/tmp/git commit -m one',
  'git commit -m',
  'git commit',
])('%j is none of those: it covers only itself', (text) => {
  expect(line(text)?.hash).not.toBe(line('git commit -m one')?.hash);
  expect(line(text)?.hash).not.toBe(
    line(text.replace('one', 'two').replace(/$/, text.includes('one') ? '' : ' '))?.hash,
  );
});
