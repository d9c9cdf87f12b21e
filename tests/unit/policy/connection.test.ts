import { describe, expect, test } from 'vitest';
import type { CallEffects } from '../../../src-main/policy/access.ts';
import type { ConnectionAccess } from '../../../src-main/policy/accesses/connection.ts';
import { mayAlwaysConnect } from '../../../src-main/policy/command-hosts.ts';
import { decide, type PolicyDecision, type PolicyInput } from '../../../src-main/policy/decide.ts';
import { mayBeKept, type RuleMatcher } from '../../../src-main/policy/rules.ts';
import { policyInput, privateMark, ruleOf, untrusted } from '../../fixtures/memory-ports.ts';

const FOLDER = '/w';

function to(host: string, port = 443, more: Partial<ConnectionAccess> = {}): CallEffects {
  const access = {
    kind: 'connection',
    class: 'network',
    peer: { host, port },
    folder: FOLDER,
    line: 'npm ci',
  } as const;
  return { access: [{ ...access, ...more }] };
}
const own = { class: 'network-private' } as const;
const decided = (effects: CallEffects, more: Partial<PolicyInput> = {}) => decide(policyInput(effects, more));
const kept = (host: string, port = 443, more: Partial<RuleMatcher> = {}) =>
  ruleOf({ kind: 'connection', class: 'network', path: FOLDER, to: { host, port }, ...more } as RuleMatcher);
const registries = ruleOf({ kind: 'connection', class: 'network', path: FOLDER, to: 'registries' });
const offers = (decision: PolicyDecision) => (decision.answer === 'ask' ? decision.offers : []);

describe('a connection of a held command', () => {
  test('asks, also where nothing was read yet', () => {
    expect(decided(to('one.example'))).toMatchObject({
      answer: 'ask',
      reason: { code: 'connection', host: 'one.example' },
    });
  });

  test('goes to a host that the user named', () => {
    expect(decided(to('www.one.example'), { namedHosts: new Set(['one.example']) })).toMatchObject({ answer: 'allow' });
    expect(decided(to('one.example', 25), { namedHosts: new Set(['one.example']) }).answer).toBe('ask');
    expect(decided(to('one.example', 443, own), { namedHosts: new Set(['one.example']) }).answer).toBe('ask');
    expect(decided(to('two.one.example'), { namedHosts: new Set(['one.example']) }).answer).toBe('ask');
  });

  test.each([
    ['another port among the usual ones', to('one.example', 22), 'allow'],
    ['an unusual port', to('one.example', 5432), 'ask'],
    ['a name below it', to('a.one.example'), 'ask'],
    ['a name that ends like it', to('notone.example'), 'ask'],
    ['another folder', to('one.example', 443, { folder: '/w2' }), 'ask'],
    ['the same name on the user’s own network', to('one.example', 443, own), 'ask'],
    ['the same name, which gives out credentials', to('one.example', 443, { ...own, isMetadata: true }), 'ask'],
  ])('with a rule for its host: %s', (_, effects, answer) => {
    expect(decided(effects, { rules: [kept('one.example')] }).answer).toBe(answer);
  });

  test('on the user’s own network, each port is a service of its own', () => {
    const rules = [kept('10.0.0.7', 443, own)];
    expect(decided(to('10.0.0.7', 443, own), { rules }).answer).toBe('allow');
    expect(decided(to('10.0.0.7', 22, own), { rules })).toMatchObject({ reason: { code: 'private_network' } });
    expect(decided(to('10.0.0.7', 443, own), { rules, allowPrivateNetwork: 'never' }).answer).toBe('deny');
  });

  test.each([
    ['replicate.npmjs.org', 'allow'],
    ['npmjs.org', 'allow'],
    ['evilnpmjs.org', 'ask'],
    ['npmjs.org.evil.example', 'ask'],
    ['cdn.pythonhosted.org', 'allow'],
  ])('with a rule for registries: %s', (host, answer) => {
    expect(decided(to(host), { rules: [registries] }).answer).toBe(answer);
    expect(decided(to(host, 443, own), { rules: [registries] }).answer).toBe('ask');
  });

  test('beside text from outside, what is named or kept asks once more, whether or not something private was read', () => {
    const rules = [kept('one.example')];
    const namedHosts = new Set(['one.example']);
    for (const marks of [[untrusted], [untrusted, privateMark]])
      for (const standing of [{ rules }, { namedHosts }, { rules: [registries] }])
        expect(decided(to('one.example'), { marks, ...standing })).toMatchObject({
          reason: { code: 'connection_marked' },
        });
    expect(decided(to('one.example'), { marks: [privateMark], rules }).answer).toBe('allow');
    const shown = [kept('one.example', 443, { outsideTextShownIn: 'c1' })];
    const beside = { marks: [untrusted], rules: shown };
    expect(decided(to('one.example'), { ...beside, conversationId: 'c1' }).answer).toBe('allow');
    expect(decided(to('one.example'), { ...beside, conversationId: 'c2' }).answer).toBe('ask');
  });
});

describe('the rules on offer', () => {
  const labels = (effects: CallEffects, more: Partial<PolicyInput> = {}) =>
    offers(decided(effects, more)).map(({ label }) => label);

  test('are for the host, and for a registry for all of them first', () => {
    expect(labels(to('one.example', 8443))).toEqual(['let commands in /w connect to one.example:8443']);
    expect(labels(to('replicate.npmjs.org'))).toEqual([
      'let commands in /w connect to package registries (npm, PyPI, crates.io and others)',
      'let commands in /w connect to replicate.npmjs.org',
    ]);
  });

  test('say that they hold beside text from outside, where that was shown', () => {
    const [label] = labels(to('one.example'), { marks: [untrusted], conversationId: 'c1' });
    expect(label).toMatch(/, even with text from outside in this conversation$/);
  });

  test('are none for what gives out credentials, nor for two hosts at once', () => {
    expect(labels(to('169.254.169.254', 80, { ...own, isMetadata: true }))).toEqual([]);
    const both = { access: [...to('one.example').access, ...to('two.example').access] };
    expect(labels(both)).toEqual([]);
  });

  test.each([
    ['api.anthropic.com', 443],
    ['generativelanguage.googleapis.com', 443],
    ['smtp.one.example', 443],
    ['one.example', 587],
    ['imap.one.example', 993],
    ['mail1.one.example', 443],
  ])('are kept for a conversation at most: %s:%d', (host, port) => {
    const [rule] = offers(decided(to(host, port)));
    if (rule === undefined) throw new Error('nothing was offered');
    expect([mayBeKept(rule, 'conversation'), mayBeKept(rule, 'always')]).toEqual([true, false]);
    expect(mayAlwaysConnect({ host: 'one.example', port: 443 })).toBe(true);
  });
});
