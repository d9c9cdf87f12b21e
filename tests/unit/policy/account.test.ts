import { expect, test } from 'vitest';
import type { AccountAccess, CallEffects, InvitationAccess } from '../../../src-main/policy/access.ts';
import type { EffectsPlace } from '../../../src-main/policy/commands/touched-paths.ts';
import { consequencesOf } from '../../../src-main/policy/consequences.ts';
import { decide, type PolicyInput } from '../../../src-main/policy/decide.ts';
import type { Rule, RuleDraft } from '../../../src-main/policy/rules.ts';
import { policyInput, privateMark, untrusted } from '../../fixtures/memory-ports.ts';

const read: AccountAccess = { kind: 'account', class: 'read', account: 'gmail' };
const entry: AccountAccess = { kind: 'account', class: 'write', account: 'calendar' };
const ofTeam: AccountAccess = { ...entry, calendar: 'team@acme.com' };
const invitation: InvitationAccess = { kind: 'invitation', class: 'send', recipients: ['bob@acme.com'], text: 'Lunch' };
const place: EffectsPlace = {
  realWorkspace: '/w',
  home: '/home/ada',
  realPath: (path) => path,
  isInsideRoots: () => true,
};
const both = [untrusted, privateMark];

const call = (...access: CallEffects['access']): CallEffects => ({ access });
const asked = (effects: CallEffects, more: Partial<PolicyInput> = {}) => {
  const decision = decide(policyInput(effects, more));
  if (decision.answer !== 'ask') throw new Error(`It is not asked about: ${decision.reason.code}`);
  return decision;
};
const kept = (draft: RuleDraft | undefined): Rule[] =>
  draft === undefined
    ? []
    : [{ ...draft, id: 'r', conversationId: null, createdAt: '2026-01-01T00:00:00.000Z', lastUsedAt: null, uses: 0 }];

test('reading one’s own mail and calendar is allowed whatever was read before', () => {
  for (const marks of [[], both])
    expect(decide(policyInput(call(read), { marks }))).toMatchObject({
      answer: 'allow',
      by: 'default',
      reason: { code: 'own_account' },
    });
});

test('an entry in one’s own calendar asks, and a rule can answer from then on', () => {
  const { reason, offers } = asked(call(entry));
  expect(reason.code).toBe('account_write');
  expect(offers.map(({ matcher }) => matcher)).toEqual([{ kind: 'account', account: 'calendar' }]);
  const rules = kept(offers[0]);
  expect(decide(policyInput(call(entry), { rules }))).toMatchObject({ answer: 'allow', by: 'rule' });
  expect(decide(policyInput(call({ ...entry, account: 'gmail' }), { rules })).answer).toBe('ask');
});

test('beside text from outside, only a rule answers that was made with that warning shown, in its conversation', () => {
  const rules = kept(asked(call(entry)).offers[0]);
  const here = { marks: both, conversationId: 'c1' };
  const { reason, offers, marksShown } = asked(call(entry), { ...here, rules });
  expect(reason.code).toBe('account_write_untrusted');
  expect(marksShown).not.toEqual([]);
  const shown = kept(offers[0]);
  expect(decide(policyInput(call(entry), { ...here, rules: shown }))).toMatchObject({ answer: 'allow', by: 'rule' });
  const elsewhere = { ...here, conversationId: 'c2', rules: shown };
  expect(decide(policyInput(call(entry), elsewhere)).answer).toBe('ask');
});

test('a calendar that other people may see asks each time, and no rule covers it', () => {
  const { reason, offers } = asked(call(ofTeam));
  expect([reason.code, offers]).toEqual(['account_shared', []]);
  const rules = kept(asked(call(entry)).offers[0]);
  expect(decide(policyInput(call(ofTeam), { rules })).answer).toBe('ask');
});

test('an invitation is sent, so it asks each time whatever rules there are', () => {
  const rules = kept(asked(call(entry)).offers[0]);
  const decision = asked(call(entry, invitation), { rules });
  expect([decision.reason.code, decision.offers, decision.classes]).toEqual(['send', [], ['write', 'send']]);
});

test('the consequences say whether other people see it, and how many are outside the organisation', () => {
  const of = (...access: CallEffects['access']) =>
    consequencesOf({ access, classes: access.map((each) => each.class), reason: { code: 'send' } }, place).consequences;
  expect(of(read)).toEqual([]);
  expect(of(entry)).toEqual([{ code: 'changes_account', account: 'calendar', isShared: false }]);
  expect(of(ofTeam)).toEqual([{ code: 'changes_account', account: 'calendar', isShared: true }]);
  expect(of({ ...invitation, recipients: ['a@x.io', 'b@y.io'], external: ['b@y.io'] })).toEqual([
    { code: 'reaches_people', count: 2, external: 1 },
    { code: 'cannot_be_undone' },
  ]);
  const mail = { kind: 'mail', class: 'send', recipients: ['a@x.io'], text: 'Hello' } as const;
  const reaches = { code: 'reaches_people', count: 1 };
  expect(of({ ...mail, undoSeconds: 10 })).toEqual([reaches, { code: 'undo_for', seconds: 10 }]);
  expect(of({ ...mail, undoSeconds: 10 }, mail)).toEqual([reaches, { code: 'cannot_be_undone' }]);
});
