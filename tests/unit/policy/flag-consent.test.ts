import { expect, test } from 'vitest';
import { flagConsent, unattendedConsent } from '../../../src-main/headless/flag-consent.ts';
import type { CallEffects } from '../../../src-main/policy/access.ts';
import type { ConsentPort, ReviewConsentRequest, UndoConsentRequest } from '../../../src-main/policy/consent.ts';
import { type PermissionGrant, PermissionGrants } from '../../../src-main/policy/permission-grants.ts';
import { QuestionQueues } from '../../../src-main/policy/question-queues.ts';
import type { ApproveFlag } from '../../../src-preload/contract/decision-reason.ts';
import {
  gateCall,
  gateWith,
  MemoryConfirmations,
  never,
  nothingHeld,
  privateMark,
  program,
  request,
  untrusted,
  writeTo,
} from '../../fixtures/memory-ports.ts';

const outside: CallEffects = { access: [{ class: 'read', kind: 'file', path: '/repo/README.md', outsideRoots: true }] };
const secret: CallEffects = { access: [{ kind: 'variable', class: 'read', name: 'BRAVE_API_KEY', isPlain: false }] };
const secretFile: CallEffects = {
  access: [{ class: 'read', kind: 'file', path: '/w/.env', outsideRoots: false, isSecret: true }],
};
const marked = { marks: [untrusted, privateMark] };
const authorize = (consent: ConsentPort, effects: CallEffects, more = {}) =>
  gateWith(consent, { endpointOrigins: () => ['http://127.0.0.1:9'] }).gate.authorize(gateCall(effects, more), never);

test.each([
  ['a read outside the roots', 'allow', outside, {}],
  ['a public GET that asks because of what was read', 'allow', request('https://example.org/'), marked],
  ['a configured endpoint that asks so', 'allow', request('http://127.0.0.1:9/', 'GET', 'network-private'), marked],
  ['asking another model so', 'allow', { access: [] }, { ...marked, tool: 'ask_b', declaredClass: 'network' }],
  ['a private host', 'deny', request('http://127.0.0.1/', 'GET', 'network-private'), {}],
  ['a POST', 'deny', request('https://example.org/', 'POST'), {}],
  ['a GET of a tool that sends', 'deny', request('https://example.org/'), { declaredClass: 'send' }],
  ['a write', 'deny', writeTo('/w/a'), {}],
  ['a command', 'deny', program('ls'), {}],
  ['a write to memory', 'deny', { access: [{ class: 'write', kind: 'app', memory: true }] }, marked],
  ['a variable that looks like a secret', 'deny', secret, { declaredClass: 'read' }],
  ['a secret file', 'deny', secretFile, {}],
  ['such a variable with a read', 'deny', { access: [...outside.access, ...secret.access] }, {}],
  ['a read with a write', 'deny', { access: [...outside.access, ...writeTo('/w/a').access] }, {}],
] as const)('--approve none denies %s, all allows it, reads: %s', async (_, underReads, effects, more) => {
  expect(await authorize(flagConsent('none'), effects, more)).toMatchObject({ answer: 'deny', by: 'flag' });
  expect(await authorize(flagConsent('reads'), effects, more)).toMatchObject({ answer: underReads, by: 'flag' });
  expect(await authorize(flagConsent('all'), effects, more)).toMatchObject({ answer: 'allow', by: 'flag' });
  expect(await authorize(unattendedConsent(), effects, more)).toMatchObject({
    answer: 'deny',
    by: 'default',
    reason: { code: 'nobody_asked' },
  });
});

test('--approve keeps no rule, and a denial says which flag and why', async () => {
  const { gate, rules } = gateWith(flagConsent('all'));
  await gate.authorize(gateCall(writeTo('/w/a')), never);
  expect(rules.kept).toEqual([]);
  expect(await authorize(flagConsent('reads'), writeTo('/w/a'))).toMatchObject({
    reason: { code: 'flag_denies', flag: 'reads', asked: { code: 'write' } },
    text: expect.stringContaining('some_tool'),
  });
});

const items: PermissionGrant[] = [
  { subject: 'workspace', key: 'workingDirectory', value: '/srv' },
  { subject: 'folder', key: 'folders[/data]', value: '/data' },
  { subject: 'endpoint', key: 'endpoints.anthropic', value: 'http://127.0.0.1:1' },
];
const review = (flag: ApproveFlag, confirmations: MemoryConfirmations, named: readonly PermissionGrant[]) =>
  new PermissionGrants({
    consent: flagConsent(flag),
    confirmations,
    held: nothingHeld,
    questions: new QuestionQueues(),
    storedSecrets: async () => [],
  }).review(named, never);

test('with a new profile, only "all" confirms the values of config.json', async () => {
  for (const flag of ['none', 'reads'] as const) {
    expect((await review(flag, new MemoryConfirmations(), items)).inert).toHaveLength(3);
  }
  const confirmations = new MemoryConfirmations();
  await review('none', confirmations, items);
  expect((await review('all', confirmations, items)).confirmed).toHaveLength(3);
  expect((await review('none', confirmations, items)).confirmed).toHaveLength(3);
});

test('--approve all never adds roots later: a new folder in a known profile has no effect', async () => {
  const confirmations = new MemoryConfirmations();
  await review('all', confirmations, []);
  const { confirmed, inert } = await review('all', confirmations, items);
  expect(confirmed.map(({ subject }) => subject)).toEqual(['endpoint']);
  expect(inert.map(({ item }) => item.subject)).toEqual(['workspace', 'folder']);
});

test('an undo writes files: all allows it, reads and none do not', async () => {
  const undo: UndoConsentRequest = {
    kind: 'undo',
    id: '1',
    reason: { code: 'undo', tools: ['write_file'] },
    subject: 'call',
    previews: [],
    refused: [],
    boundTo: 'hash',
    conversationId: 'conversation-1',
  };
  expect(await flagConsent('all').ask(undo, never)).toMatchObject({ answer: 'allow', by: 'flag' });
  for (const consent of [flagConsent('reads'), flagConsent('none'), unattendedConsent()])
    expect(await consent.ask(undo, never)).toMatchObject({
      answer: 'deny',
      reason: { asked: undo.reason },
    });
});

test('no flag counts as a review', async () => {
  const looking: ReviewConsentRequest = {
    kind: 'review',
    id: '1',
    reason: { code: 'review' },
    review: [],
    boundTo: 'h',
  };
  for (const flag of ['none', 'reads', 'all'] as const)
    expect(await flagConsent(flag).ask(looking, never)).toMatchObject({ answer: 'deny', by: 'flag' });
  expect(await unattendedConsent().ask(looking, never)).toMatchObject({ answer: 'deny', by: 'default' });
});
