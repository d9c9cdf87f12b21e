import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Access, AccessClass, CallEffects } from '../../../src-main/policy/access.ts';
import { kindOf } from '../../../src-main/policy/accesses/access-kinds.ts';
import { decide } from '../../../src-main/policy/decide.ts';
import { rulesFor } from '../../../src-main/policy/rule-offers.ts';
import type { Rule, RuleDraft, RuleMatcher } from '../../../src-main/policy/rules.ts';
import { policyInput, program, request, shellLine, writeTo } from '../../fixtures/memory-ports.ts';

const draft = (matcher: RuleMatcher, tool: string | null = null): RuleDraft => ({ label: 'test', tool, matcher });
const only = ({ access }: CallEffects): Access => access[0] ?? { class: 'read', kind: 'app' };
const answers = (rule: RuleDraft, effects: CallEffects, as: AccessClass = only(effects).class) =>
  kindOf(only(effects)).isCovered(rule.matcher, only(effects), as);

const npmTest = draft({ kind: 'exact-command', line: 'npm test', directory: '/w' });

test.each([
  ['npm test', true],
  ['npm  test ', true],
  ["npm 'test'", true],
  ['npm test 2>&1', true],
  ['npm test | head -20', true],
  ['npm test 2>&1 | tail -n 40', true],
  ['npm test | tail', true],
  ['npm test --script-shell=/tmp/x', false],
  ['npm test | head -20 x', false],
  ['npm test | head -c 5', false],
  ['npm test | tail -f', false],
  ['npm test 2>/dev/null', false],
  ['npm test | sh', false],
  ['npm test && x', false],
  ['x && npm test', false],
  ['npm', false],
  ['npm testx', false],
  ['npm "test x"', false],
  ['npm test; rm -rf x', false],
  ['npm test > x', false],
  ['npm test $(x)', false],
  ['npm test\nx', false],
  ['PATH=/tmp npm test', false],
  ['npm test &', false],
  ['Npm test', false],
  ['npm tеst', false],
  ['./npm test', false],
])('a rule for exactly "npm test" answers for the shell line %j: %s', (line, expected) => {
  expect(answers(npmTest, shellLine(line))).toBe(expected);
});

test('a command rule holds for the same words without a shell, and in its own folder only', () => {
  expect(answers(npmTest, program('npm', 'test'))).toBe(true);
  expect(answers(npmTest, program('npm', 'test', '&&', 'x'))).toBe(false);
  expect(answers(npmTest, program('npm test'))).toBe(false);
  for (const directory of ['/w/sub', '/', '/W', '/w/'])
    expect(
      answers({ ...npmTest, matcher: { ...npmTest.matcher, directory } as RuleMatcher }, program('npm', 'test')),
    ).toBe(false);
});

test('a rule for a command answers for the same words, and for no others', () => {
  const word = fc.oneof(fc.constantFrom('npm', 'test', 'a b', "it's", '', '&&', '|', '2>&1', '~', '#x'), fc.string());
  const argv = fc
    .tuple(fc.constantFrom('npm', 'make', 'my prog'), fc.array(word, { maxLength: 3 }))
    .map(([first, rest]) => [first, ...rest]);
  fc.assert(
    fc.property(argv, argv, (kept, asked) => {
      const [rule] = rulesFor(only(program(...kept)), policyInput(program(...kept)));
      fc.pre(rule !== undefined);
      expect(answers(rule, program(...asked))).toBe(JSON.stringify(kept) === JSON.stringify(asked));
      expect(answers(rule, program(...kept))).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('an old rule for all commands with the same beginning covers nothing', () => {
  const old = draft({ kind: 'command', argv: ['npm', 'test'] });
  for (const effects of [program('npm', 'test'), shellLine('npm test'), shellLine('npm test --script-shell=x')])
    expect(answers(old, effects)).toBe(false);
});

test('a rule for a repository answers where git only looks into that one, and for nothing that runs', () => {
  const rule = draft({ kind: 'repository', path: '/w' });
  const looking = (repository: string | null): CallEffects => ({
    access: [
      {
        kind: 'command',
        class: 'execute',
        command: { kind: 'shell', line: 'git log' },
        directory: '/w',
        reading: { paths: ['/w'], repository },
      },
    ],
  });
  expect(answers(rule, looking('/w'), 'read')).toBe(true);
  expect(answers(rule, looking('/w/sub'), 'read')).toBe(false);
  expect(answers(rule, looking(null), 'read')).toBe(false);
  expect(answers(rule, shellLine('git log'))).toBe(false);
});

test('a folder rule covers the folder by segments, for its own class, and no repository internals', () => {
  const notes = draft({ kind: 'folder', class: 'write', path: '/w/notes' });
  expect(answers(notes, writeTo('/w/notes/a.txt'))).toBe(true);
  expect(answers(notes, writeTo('/w/notes/deep/er/a.txt'))).toBe(true);
  expect(answers(notes, writeTo('/w/notes-evil/a.txt'))).toBe(false);
  expect(answers(notes, writeTo('/w/a.txt'))).toBe(false);
  expect(
    answers(notes, { access: [{ class: 'read', kind: 'file', path: '/w/notes/a.txt', outsideRoots: false }] }),
  ).toBe(false);
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
    access: [{ kind: 'request', class: 'network', url: 'https://evil.example/', host: 'example.org', method: 'GET' }],
  } as const;
  expect(answers(rule, lying)).toBe(false);
});

test('a rule for one tool does not answer for another', () => {
  const kept = { id: 'rule-1', conversationId: null, createdAt: '', lastUsedAt: null, uses: 0 };
  const rule: Rule = { ...draft({ kind: 'folder', class: 'write', path: '/w' }, 'write_file'), ...kept };
  const answer = (tool: string) => decide(policyInput(writeTo('/w/a'), { tool, rules: [rule] })).answer;
  expect(answer('write_file')).toBe('allow');
  expect(answer('edit')).toBe('ask');
});

test('rules are offered in words that people understand', () => {
  const labels = (effects: CallEffects) => rulesFor(only(effects), policyInput(effects)).map(({ label }) => label);
  expect(labels(writeTo('/w/notes/a.txt'))).toEqual(['edit files in /w/notes', 'edit files in the whole workspace /w']);
  expect(labels(writeTo('/w/a.txt'))).toEqual(['edit files in /w']);
  expect(labels(writeTo('/granted/a.txt'))).toEqual(['edit files in /granted']);
  expect(labels(writeTo('/a.txt'))).toEqual([]);
  expect(labels(writeTo('/w/.git/config'))).toEqual([]);
  expect(labels(shellLine('npm test  2>&1 | tail -20'))).toEqual(['run "npm test" in /w']);
  expect(labels(shellLine('rm -rf build'))).toEqual([]);
  expect(labels(request('https://example.org/x'))).toEqual(['read from example.org']);
  expect(labels(request('http://localhost:3000/'))).toEqual([
    'read from localhost on your own machine or network, any port',
  ]);
  expect(labels(request('http://169.254.169.254/'))).toEqual([]);
  expect(labels(request('https://example.org/', 'POST'))).toEqual([]);
});
