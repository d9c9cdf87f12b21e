import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Access, AccessClass, CallEffects } from '../../../src-main/policy/access.ts';
import { offeredCommandPrefix } from '../../../src-main/policy/command-prefix.ts';
import { ruleAnswers } from '../../../src-main/policy/rule-matching.ts';
import { rulesFor } from '../../../src-main/policy/rule-offers.ts';
import type { RuleDraft, RuleMatcher } from '../../../src-main/policy/rules.ts';
import { program, request, shellLine, writeTo } from './memory-ports.ts';

const draft = (matcher: RuleMatcher, tool: string | null = null): RuleDraft => ({ label: 'test', tool, matcher });
const only = ({ access }: CallEffects): Access => access[0] ?? { class: 'read', kind: 'app' };
const answers = (rule: RuleDraft, effects: CallEffects, as: AccessClass = only(effects).class) =>
  ruleAnswers(rule, 'bash', only(effects), as);

const gitStatus = draft({ kind: 'command', argv: ['git', 'status'] });

test.each([
  ['git status', true],
  ['git status --short', true],
  ['git  status', true],
  ["git 'status'", true],
  ['git stat', false],
  ['git statusx', false],
  ['git', false],
  ['git log', false],
  ['git -C / status', false],
  ['git status; rm -rf x', false],
  ['git status && x', false],
  ['git status | sh', false],
  ['git status > x', false],
  ['git status $(x)', false],
  ['git status `x`', false],
  ['git status\nx', false],
  ['GIT_PAGER=x git status', false],
  ['git status &', false],
  ['Git status', false],
  ['gіt status', false],
])('a rule for "git status" answers for the shell line %j: %s', (line, expected) => {
  expect(answers(gitStatus, shellLine(line))).toBe(expected);
});

test('a command rule compares whole words of a command without a shell, operators being words like any other', () => {
  expect(answers(gitStatus, program('git', 'status', '&&', 'x'))).toBe(true);
  expect(answers(gitStatus, program('git status'))).toBe(false);
  expect(answers(gitStatus, program('/usr/bin/git', 'status'))).toBe(false);
});

test('a command rule never answers for a command that it is no prefix of, and never for an empty one', () => {
  const word = fc.constantFrom('git', 'status', 'a', 'b', '');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 4 }), fc.array(word, { maxLength: 4 }), (prefix, argv) => {
      const isPrefix = prefix.length > 0 && prefix.every((it, index) => argv[index] === it);
      expect(answers(draft({ kind: 'command', argv: prefix }), program(...argv))).toBe(isPrefix);
    }),
  );
});

test('a shell line that a command rule answers for has no meaning beyond its words', () => {
  const piece = fc.constantFrom(
    'git',
    'status',
    ' ',
    '  ',
    ';',
    '&',
    '|',
    '$',
    '`',
    '"',
    "'",
    '\n',
    '>',
    '(',
    ')',
    '\\',
    '=',
    '*',
    'x',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const line = pieces.join('');
      if (answers(gitStatus, shellLine(line))) expect(line).not.toMatch(/^[^"']*[;&|$`\n>()\\*]/);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  [
    ['git', 'status', '-s'],
    ['git', 'status'],
  ],
  [
    ['git', 'log', '--oneline'],
    ['git', 'log'],
  ],
  [
    ['/usr/bin/git', 'diff'],
    ['/usr/bin/git', 'diff'],
  ],
  [
    ['npm', 'test'],
    ['npm', 'test'],
  ],
  [
    ['npm', 'run', 'lint', '--', '--fix'],
    ['npm', 'run', 'lint'],
  ],
  [
    ['docker', 'ps', '-a'],
    ['docker', 'ps'],
  ],
  [
    ['cargo', 'build', '--release'],
    ['cargo', 'build'],
  ],
  [
    ['gh', 'pr', 'list'],
    ['gh', 'pr', 'list'],
  ],
  [
    ['ls', '-la'],
    ['ls', '-la'],
  ],
  [
    ['echo', 'hi'],
    ['echo', 'hi'],
  ],
  [
    ['pytest', 'tests/a.py'],
    ['pytest', 'tests/a.py'],
  ],
  [
    ['make', 'test'],
    ['make', 'test'],
  ],
])('for %j the rule offered begins with %j', (argv, prefix) => {
  expect(offeredCommandPrefix(argv)).toEqual(prefix);
});

test.each([
  'bash -c x',
  'sh x.sh',
  '/bin/sh -c x',
  'BASH.EXE -c x',
  'node -e x',
  'node script.js',
  'python -c x',
  'python3.12 -c x',
  'python3 x.py',
  'perl -e x',
  'ruby x',
  'sudo ls',
  'env ls',
  'env A=1 ls',
  'xargs rm',
  'ssh host ls',
  'find . -exec rm {} +',
  'find . -delete',
  'time ls',
  'timeout 5 ls',
  'nohup ls',
  'npx x',
  'npm exec x',
  'npm install x',
  'git -c core.pager=x log',
  'git config alias.x y',
  'git fetch --upload-pack=x',
  'git rebase --exec x',
  'git diff --ext-diff',
  'git',
  'docker run x',
  'docker exec x sh',
  'docker container exec x sh',
  'rm -rf x',
  'curl https://example.org',
  'tar xf a --to-command=x',
  'awk x',
  'sed x',
  'vim x',
  './run.sh',
  'bin/x',
  'eval x',
  'source x',
  '. x',
  'exec x',
  'kubectl exec x',
  'test -f x',
  'printf x',
  'declare x',
  '',
])('no rule is offered for %j', (line) => {
  expect(offeredCommandPrefix(line.split(' '))).toBeNull();
});

test('an option that runs another program is not covered by a rule for the words before it', () => {
  const rule = (...argv: string[]) => draft({ kind: 'command', argv });
  expect(answers(rule('git', 'log'), program('git', 'log', '-3'))).toBe(true);
  expect(answers(rule('git', 'log'), program('git', 'log', '--output=/home/ada/.bashrc'))).toBe(false);
  expect(answers(rule('git', 'diff'), program('git', 'diff', '--ext-diff'))).toBe(false);
  expect(answers(rule('find', '.'), program('find', '.', '-exec', 'sh'))).toBe(false);
  expect(answers(rule('npm', 'test'), program('npm', 'test', '--script-shell=/tmp/x'))).toBe(false);
  expect(answers(rule('make', 'test'), program('make', 'test', 'SHELL=/tmp/x'))).toBe(false);
});

test('a folder rule covers the folder by segments, for its own class, and no repository internals', () => {
  const notes = draft({ kind: 'folder', class: 'write', path: '/w/notes' });
  expect(answers(notes, writeTo('/w/notes/a.txt'))).toBe(true);
  expect(answers(notes, writeTo('/w/notes/deep/er/a.txt'))).toBe(true);
  expect(answers(notes, writeTo('/w/notes-evil/a.txt'))).toBe(false);
  expect(answers(notes, writeTo('/w/a.txt'))).toBe(false);
  expect(answers(notes, { access: [{ class: 'read', kind: 'file', path: '/w/notes/a.txt' }] })).toBe(false);
  expect(answers(notes, writeTo('/w/notes/.git/hooks/pre-commit'))).toBe(false);
  expect(answers(notes, writeTo('/w/notes/sub/.GIT/config'))).toBe(false);
  expect(answers(notes, writeTo('/w/notes/.gitignore'))).toBe(true);
});

test('a host rule covers exactly its host, whatever the tool calls it, and only its class', () => {
  const rule = draft({ kind: 'host', class: 'network', host: 'example.org' });
  expect(answers(rule, request('https://example.org/x'))).toBe(true);
  expect(answers(rule, request('https://EXAMPLE.org:8443/x'))).toBe(true);
  expect(answers(rule, request('http://www.example.org/'))).toBe(true);
  expect(answers(rule, request('https://docs.example.org/'))).toBe(false);
  expect(answers(rule, request('https://wwwexample.org/'))).toBe(false);
  expect(answers(rule, request('https://example.org.evil.example/'))).toBe(false);
  expect(answers(rule, request('https://example.org@evil.example/'))).toBe(false);
  expect(answers(rule, request('https://example.org/'), 'network-private')).toBe(false);
  const lying = {
    access: [{ class: 'network', url: 'https://evil.example/', host: 'example.org', method: 'GET' }],
  } as const;
  expect(answers(rule, lying)).toBe(false);
});

test('a rule for one tool does not answer for another', () => {
  const access = only(writeTo('/w/a'));
  const rule = draft({ kind: 'folder', class: 'write', path: '/w' }, 'write_file');
  expect(ruleAnswers(rule, 'write_file', access, 'write')).toBe(true);
  expect(ruleAnswers(rule, 'edit', access, 'write')).toBe(false);
});

test('rules are offered in words that people understand', () => {
  const labels = (effects: CallEffects, as: AccessClass = only(effects).class) =>
    rulesFor(only(effects), as, '/w').map(({ label }) => label);
  expect(labels(writeTo('/w/notes/a.txt'))).toEqual(['edit files in /w/notes', 'edit files in the whole workspace /w']);
  expect(labels(writeTo('/w/a.txt'))).toEqual(['edit files in /w']);
  expect(labels(writeTo('/granted/a.txt'))).toEqual(['edit files in /granted']);
  expect(labels(writeTo('/a.txt'))).toEqual([]);
  expect(labels(writeTo('/w/.git/config'))).toEqual([]);
  expect(labels(shellLine('git status -s'))).toEqual(['run commands that begin with "git status"']);
  expect(labels(shellLine('git status | cat'))).toEqual([]);
  expect(labels(request('https://example.org/x'))).toEqual(['read from example.org']);
  expect(labels(request('http://localhost:3000/'), 'network-private')).toEqual([
    'read from localhost on your own machine or network, any port',
  ]);
  expect(labels(request('http://169.254.169.254/'), 'network-private')).toEqual([]);
  expect(labels(request('https://example.org/', 'POST'), 'send')).toEqual([]);
});
