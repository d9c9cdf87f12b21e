import { describe, expect, test } from 'vitest';
import { isInside } from '../../../src-main/base/paths.ts';
import type { CallEffects } from '../../../src-main/policy/access.ts';
import { decide, type PolicyInput } from '../../../src-main/policy/decide.ts';
import { freedomOf } from '../../../src-main/policy/freedom.ts';
import { isObeyed } from '../../../src-main/policy/obeyed-files.ts';
import type { Rule } from '../../../src-main/policy/rules.ts';
import { freelyRule, outermostRoot } from '../../../src-main/policy/work-freely.ts';
import type { Freedom } from '../../../src-preload/contract/bounds.ts';
import {
  gateCall,
  gateWith,
  never,
  no,
  policyInput,
  privateMark,
  ruleOf,
  untrusted,
  writeTo,
} from '../../fixtures/memory-ports.ts';

const grant = (path: string) => ruleOf({ kind: 'work-freely', path });
const line = (text: string, more: object = {}): CallEffects => ({
  access: [{ kind: 'command', class: 'execute', command: { kind: 'shell', line: text }, directory: '/w', ...more }],
});
const held = (text: string) => line(text, { heldIn: '/w' });
const npmTest = { kind: 'exact-command', line: 'npm test', directory: '/w' } as const;

describe('a grant to work freely', () => {
  test('allows edits and held commands, also beside text from outside and with unreviewed files', () => {
    const marks = [untrusted, privateMark];
    const unreviewedFiles = () => ['/w/Makefile'];
    for (const effects of [writeTo('/w/a/b.ts'), held('make | tee log'), held('rm -rf build')])
      expect(decide(policyInput(effects, { rules: [grant('/w')], marks, unreviewedFiles }))).toMatchObject({
        answer: 'allow',
        by: 'rule',
      });
  });

  test.each([
    ['a command that can’t be held', line('make')],
    ['a command in a wider root', line('make', { heldIn: '/' })],
    ['a command in another root', line('make', { heldIn: '/w2' })],
    ['an edit elsewhere', writeTo('/w2/a')],
    ['an edit of what programs obey', writeTo('/w/a/.vscode/tasks.json')],
    ['an edit of a secret file', writeTo('/w/.env.local')],
    ['an edit in a folder for secrets', writeTo('/w/.ssh/config')],
  ])('does not cover %s', (_, effects) => {
    expect(decide(policyInput(effects, { rules: [grant('/w')] })).answer).toBe('ask');
  });

  test('leaves a command with a rule of its own to that rule, unless files are unreviewed', () => {
    const rules = [grant('/w'), { ...ruleOf(npmTest), id: 'exact' }];
    expect(decide(policyInput(held('npm test'), { rules }))).toMatchObject({ rules: [{ id: 'exact' }] });
    const unreviewedFiles = () => ['/w/package.json'];
    expect(decide(policyInput(held('npm test'), { rules, unreviewedFiles }))).toMatchObject({ rules: [{ id: 'r1' }] });
  });

  test('is offered last, for a command that can be held and for an edit where commands can', () => {
    const labels = (effects: CallEffects, more: object = {}) => {
      const decision = decide(policyInput(effects, more));
      return decision.answer === 'ask' ? decision.offers.map(({ label }) => label) : [];
    };
    expect(labels(held('npm test')).at(-1)).toBe('work freely in /w');
    expect(labels(held('git push')).at(-1)).toBe('work freely in /w');
    expect(labels(writeTo('/w/a/b.ts'), { holdsCommands: true }).at(-1)).toBe('work freely in /w');
    for (const [effects, more] of [
      [line('npm test'), {}],
      [writeTo('/w/a/b.ts'), {}],
      [writeTo('/w/.envrc'), { holdsCommands: true }],
      [held('rm -rf .'), { isGrave: true }],
    ] as const)
      expect(labels(effects, more)).not.toContain('work freely in /w');
  });

  test('is never for the home or what contains it', () => {
    expect(freelyRule('/home/ada', { home: '/home/ada' })).toEqual([]);
    expect(freelyRule('/', { home: '/home/ada' })).toEqual([]);
    expect(freelyRule('/home/ada/x', { home: '/home/ada' })).toHaveLength(1);
  });

  test('is for the outermost root', () => {
    const isInsideRoots = (path: string) => path === '/a/b' || path.startsWith('/a/b/');
    expect(outermostRoot('/a/b/c/d.ts', { isInsideRoots })).toBe('/a/b');
  });

  test('is what the decision says', async () => {
    const { gate, rules } = gateWith({ ask: async () => no });
    rules.add({ label: 'work freely in /w', tool: null, matcher: { kind: 'work-freely', path: '/w' } }, null);
    const allowed = await gate.authorize(gateCall(held('make')), never);
    expect(allowed).toMatchObject({ answer: 'allow', by: 'grant', reason: { rules: ['work freely in /w'] } });
  });
});

test.each(['/home/ada/project/.vscode', '/home/ada/project/.Git/hooks'])('no grant for %s is offered', (root) => {
  expect(freelyRule(root, { home: '/home/ada' })).toEqual([]);
});

test.each([
  '.devcontainer.json',
  '.dir-locals-2.el',
  '.hg/hgrc',
  '.helix/languages.toml',
  'a/.lefthook-local.yaml',
  'mise.local.toml',
  '.Rprofile',
  '.irbrc',
])('programs obey %s', (path) => {
  expect(isObeyed(path)).toBe(true);
});

describe('what Settings says of a folder', () => {
  const now = new Date('2026-03-02T10:00:00Z');
  const roots = ['/home/ada/project', '/home/ada/project/docs', '/home/ada/.vscode', '/home'];
  const ending = (until: string) => ruleOf({ kind: 'work-freely', path: '/home/ada/project', until });
  const stateOf = (folder: string, rules: readonly Rule[] = [], inside: readonly string[] = roots.slice(0, 3)) =>
    freedomOf(folder, {
      rules,
      now,
      home: '/home/ada',
      isInsideRoots: (path) => inside.some((root) => isInside(root, path)),
    });

  test.each<[string, readonly Rule[], Freedom]>([
    ['no rule', [], { state: 'asks', isAllowedInSome: false }],
    ['a rule without an end', [grant('/home/ada/project')], { state: 'always' }],
    ['one for a folder above', [grant('/home/ada')], { state: 'always' }],
    ['one for another folder', [grant('/home/ada/project2')], { state: 'asks', isAllowedInSome: false }],
    [
      'two with an end',
      [ending('2026-03-09T10:00:00Z'), ending('2026-03-04T10:00:00Z')],
      { state: 'until', until: '2026-03-09T10:00:00Z' },
    ],
    ['one that has ended', [ending('2026-03-01T10:00:00Z')], { state: 'asks', isAllowedInSome: false }],
    [
      'one of a conversation',
      [{ ...grant('/home/ada/project'), conversationId: 'c1' }],
      { state: 'asks', isAllowedInSome: true },
    ],
  ])('%s', (_, rules, state) => {
    expect(stateOf('/home/ada/project', rules)).toEqual(state);
  });

  test('a folder in another, one that programs obey and one that contains the home can’t be allowed more', () => {
    expect(stateOf('/home/ada/project/docs')).toEqual({ state: 'within', root: '/home/ada/project' });
    expect(stateOf('/home/ada/.vscode')).toEqual({ state: 'not_offered', why: 'obeyed' });
    expect(stateOf('/home', [], ['/home'])).toEqual({ state: 'not_offered', why: 'home' });
  });
});

describe('for a user who is asked before every command', () => {
  const everyCommand = (effects: CallEffects, more: Partial<PolicyInput> = {}) =>
    decide(policyInput(effects, { asksBeforeCommands: true, ...more }));
  const reads = { reading: { paths: ['/w'], repository: null } };
  const held = { reading: { ...reads.reading, isHeld: true as const } };

  test.each([
    ['a line that only reads', reads],
    ['one in the read-only sandbox', held],
  ])('%s asks, and only the grant is offered', (_, way) => {
    const asked = { answer: 'ask', reason: { code: 'every_command' }, classes: ['read'] };
    expect(everyCommand(line('npm test', way))).toMatchObject({ ...asked, offers: [] });
    const label = 'work freely in /w';
    expect(everyCommand(line('npm test', { ...way, heldIn: '/w' }))).toMatchObject({ ...asked, offers: [{ label }] });
    expect(decide(policyInput(line('npm test', way))).answer).toBe('allow');
  });

  test.each([
    ['a line that only reads', reads],
    ['one in the read-only sandbox', held],
  ])('%s runs by the grant, and by a rule for exactly it', (_, way) => {
    const effects = line('npm test', { ...way, heldIn: '/w' });
    for (const rule of [grant('/w'), ruleOf(npmTest)])
      expect(everyCommand(effects, { rules: [rule] })).toMatchObject({ answer: 'allow', by: 'rule', rules: [rule] });
    expect(everyCommand(effects, { rules: [ruleOf({ ...npmTest, directory: '/w/a' })] }).answer).toBe('ask');
    expect(everyCommand(effects, { rules: [ruleOf(npmTest)], marks: [untrusted] }).answer).toBe('ask');
  });
});
