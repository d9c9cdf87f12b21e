import { describe, expect, test } from 'vitest';
import type { CallEffects } from '../../../src-main/policy/access.ts';
import type { ConsentAnswer } from '../../../src-main/policy/consent.ts';
import { decide } from '../../../src-main/policy/decide.ts';
import { DiffPreview } from '../../../src-main/policy/diff-preview.ts';
import type { Rule, RuleDraft } from '../../../src-main/policy/rules.ts';
import type { UnreviewedFiles } from '../../../src-main/policy/unreviewed-files.ts';
import {
  gateCall,
  gateWith,
  never,
  policyInput,
  program,
  readOf,
  ruleOf,
  shellLine,
  User,
  writeTo,
  yesOnce,
} from '../../fixtures/memory-ports.ts';

describe('while files that text from outside had a hand in are unreviewed', () => {
  const rules = ['/w', '/tools/sub'].map((directory) => ruleOf({ kind: 'exact-command', line: 'npm test', directory }));
  /** As the root `/w` has it, and a folder that is a root no longer. */
  const unreviewedFiles = (_folder: string, leavesRoots: boolean) => [
    '/w/package.json',
    ...(leavesRoots ? ['/former/run.js'] : []),
  ];
  const asked = (effects: CallEffects, more = {}) => decide(policyInput(effects, { rules, unreviewedFiles, ...more }));

  test('no rule answers for a command there, and none is offered', () => {
    // The control: with nothing unreviewed the rule answers.
    expect(decide(policyInput(program('npm', 'test'), { rules }))).toMatchObject({ answer: 'allow', by: 'rule' });
    const paths = ['/w/package.json'];
    for (const effects of [program('npm', 'test'), shellLine('npm test'), shellLine('make; make')])
      expect(asked(effects)).toMatchObject({
        answer: 'ask',
        reason: { code: 'unreviewed_files', paths },
        unreviewed: paths,
        offers: [],
      });
  });

  test('a command that names a place outside the roots could reach any of them', () => {
    for (const path of ['/former/run.js', '../former/run.js', '--config=/usr/x.js', '-C/usr/former', '~/run.sh'])
      expect(asked(program('npm', 'test', path === '~/run.sh' ? `sh -c ${path}` : path))).toMatchObject({
        reason: { code: 'unreviewed_files', paths: ['/w/package.json', '/former/run.js'] },
      });
  });

  test('reading and editing are as they were', () => {
    expect(asked(readOf('/w/package.json')).answer).toBe('allow');
    const edits = [ruleOf({ kind: 'folder', class: 'write', path: '/w' })];
    expect(asked(writeTo('/w/package.json'), { rules: edits })).toMatchObject({ answer: 'allow', by: 'rule' });
  });
});

test('the card that would make the second of a rule for edits and one for commands says that they meet', () => {
  const command = ruleOf({ kind: 'exact-command', line: 'npm test', directory: '/w' });
  const edits = ruleOf({ kind: 'folder', class: 'write', path: '/w/src' });
  const reading = ruleOf({ kind: 'folder', class: 'read', path: '/w/src' });
  const meets = (effects: CallEffects, ...rules: Rule[]) => decide(policyInput(effects, { rules }));
  expect(meets(writeTo('/w/a'), command)).toMatchObject({ answer: 'ask', rulesMeet: true });
  expect(meets(program('npm', 'run', 'lint'), edits)).toMatchObject({ answer: 'ask', rulesMeet: true });
  expect(meets(writeTo('/w/a'), edits, reading)).toMatchObject({ answer: 'ask', rulesMeet: false });
  expect(meets(program('npm', 'run', 'lint'), command)).toMatchObject({ answer: 'ask', rulesMeet: false });
  const elsewhere = ruleOf({ kind: 'exact-command', line: 'npm test', directory: '/other' });
  expect(meets(writeTo('/w/a'), elsewhere)).toMatchObject({ answer: 'ask', rulesMeet: false });
  // Nothing is offered.
  expect(meets(program('rm', '-rf', 'x'), edits)).toMatchObject({ answer: 'ask', rulesMeet: false });
});

describe('the gate', () => {
  const npmTest: RuleDraft = {
    label: 'npm test',
    tool: null,
    matcher: { kind: 'exact-command', line: 'npm test', directory: '/w' },
  };
  const reviewed: ConsentAnswer = { answer: 'allow', scope: 'reviewed', by: 'user' };

  /** One file, until it was looked at; its text changes with each entry of `texts`. */
  class OneFile implements UnreviewedFiles {
    isOpen = true;
    readonly texts = ['evil'];

    inReachOf(): readonly string[] {
      return this.isOpen ? ['/w/package.json'] : [];
    }

    async review(paths: readonly string[]) {
      const after = this.texts.length > 1 ? this.texts.shift() : this.texts[0];
      const changes = paths.map((path) => new DiffPreview({ path, before: 'good', after: after ?? '' }));
      const finish = () => {
        this.isOpen = false;
      };
      return { changes, hash: `${after}`, finish };
    }
  }

  function rig(...answers: ConsentAnswer[]) {
    const files = new OneFile();
    const user = new User((_, asked) => answers[asked - 1] ?? { answer: 'deny', by: 'user' });
    const { gate, rules } = gateWith(user, { unreviewedFiles: files });
    rules.add(npmTest, null);
    const run = () => gate.authorize(gateCall(program('npm', 'test')), never);
    return { files, user, run };
  }

  test('shows the changes, and once they are reviewed the rule applies again', async () => {
    const { files, user, run } = rig(reviewed);
    expect(await run()).toMatchObject({ answer: 'allow', by: 'user', reason: { code: 'allowed_reviewed' } });
    expect(user.asked).toMatchObject([
      { reason: { code: 'unreviewed_files' }, review: [{ path: '/w/package.json', before: 'good', after: 'evil' }] },
    ]);
    expect(files.isOpen).toBe(false);
    expect(await run()).toMatchObject({ answer: 'allow', by: 'rule' });
  });

  test('approval alone, like a denial, leaves them unreviewed', async () => {
    const { files, user, run } = rig(yesOnce);
    expect(await run()).toMatchObject({ answer: 'allow', reason: { code: 'allowed_once' } });
    expect(await run()).toMatchObject({ answer: 'deny' });
    expect(user.asked).toHaveLength(2);
    expect(files.isOpen).toBe(true);
  });

  test('an answer holds for the files as they were shown', async () => {
    const { files, user, run } = rig(reviewed, reviewed);
    files.texts.push('worse');
    expect(await run()).toMatchObject({ answer: 'allow' });
    expect(user.asked).toMatchObject([
      { review: [{ after: 'evil' }] },
      { review: [{ after: 'worse' }], reason: { code: 'changed_while_asked' } },
    ]);
  });

  test('no rule can be kept by an answer to it', async () => {
    const { run } = rig({ answer: 'allow', scope: 'always', rule: npmTest, by: 'user' });
    expect(await run()).toMatchObject({ answer: 'deny', reason: { code: 'rule_not_offered' } });
  });
});
