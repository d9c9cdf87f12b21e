import { expect, test } from 'vitest';
import type { CallEffects } from '../../../src-main/policy/access.ts';
import { decide, type PolicyInput } from '../../../src-main/policy/decide.ts';
import type { RuleMatcher } from '../../../src-main/policy/rules.ts';
import {
  policyInput,
  privateMark,
  program,
  readOf,
  request,
  ruleOf,
  shellLine,
  untrusted,
  writeTo,
} from '../../fixtures/memory-ports.ts';

const both = [untrusted, privateMark];
const outside: CallEffects = { access: [{ class: 'read', kind: 'file', path: '/repo/README.md', outsideRoots: true }] };
const sending: CallEffects = { access: [{ kind: 'mail', class: 'send', recipients: ['a@b.c'], text: 'hi' }] };
const app = (accessClass: 'read' | 'write', memory = false): CallEffects => ({
  access: [{ class: accessClass, kind: 'app', memory }],
});
const secretVariable: CallEffects = {
  access: [{ kind: 'variable', class: 'read', name: 'BRAVE_API_KEY', isPlain: false }],
};
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
const many = (...effects: CallEffects[]): CallEffects => ({ access: effects.flatMap(({ access }) => access) });

test.each([
  ['reads inside the roots', 'allow', 'read_inside', readOf('/w/a')],
  ['a GET of a public address', 'allow', 'public_address', request('https://example.org/')],
  ['a HEAD of a public address', 'allow', 'public_address', request('https://example.org/', 'HEAD')],
  ['reading its own store', 'allow', 'inside_app', app('read')],
  ['writing its own store', 'allow', 'inside_app', app('write', true)],
  ['a read outside the roots', 'ask', 'read_outside', outside],
  ['a write', 'ask', 'write', writeTo('/w/a')],
  ['a command', 'ask', 'command', program('make')],
  ['a line of commands', 'ask', 'command', shellLine('make | wc')],
  ['a shell line that is more', 'ask', 'shell_line', shellLine('make; wc')],
  ['a command that no rule stands for', 'ask', 'command_without_rule', program('rm', 'x')],
  ['a command that only reads', 'allow', 'command_reads', looking(null)],
  ['git that looks into a repository', 'ask', 'repository', looking('/w')],
  ['a POST', 'ask', 'send', request('https://example.org/', 'POST')],
  ['a DELETE', 'ask', 'send', request('https://example.org/', 'DELETE')],
  ['a private host', 'ask', 'private_network', request('http://10.0.0.1/', 'GET', 'network-private')],
  ['a private host that the tool calls public', 'ask', 'private_network', request('http://127.0.0.1/')],
  ['sending', 'ask', 'send', sending],
  ['a variable that looks like a secret', 'ask', 'secret_variable', secretVariable],
  ['a read with a write', 'ask', 'write', many(readOf('/w/a'), writeTo('/w/b'))],
] as const)('by default, %s: %s (%s)', (_, answer, code, effects) => {
  expect(decide(policyInput(effects))).toMatchObject({ answer, reason: { code } });
});

test('accesses allowed for different reasons list each reason once', () => {
  const effects = many(readOf('/w/a'), request('https://example.org/'), readOf('/w/b'));
  expect(decide(policyInput(effects)).reason).toEqual({
    code: 'all_of',
    reasons: [{ code: 'read_inside' }, { code: 'public_address' }],
  });
});

test('a write outside the roots is denied, never asked', () => {
  const effects: CallEffects = { access: [{ class: 'write', kind: 'file', path: '/etc/x', outsideRoots: true }] };
  expect(decide(policyInput(effects)).answer).toBe('deny');
  const everywhere = ruleOf({ kind: 'folder', class: 'write', path: '/' });
  expect(decide(policyInput(effects, { rules: [everywhere] })).answer).toBe('deny');
});

test('a tool that states no access is taken by its class', () => {
  const answer = (declaredClass: 'read' | 'write' | 'execute' | 'network' | 'network-private' | 'send') =>
    decide(policyInput({ access: [] }, { declaredClass })).answer;
  expect(answer('read')).toBe('allow');
  for (const declared of ['write', 'execute', 'network', 'network-private', 'send'] as const)
    expect(answer(declared)).toBe('ask');
});

test('rules answer for writes, commands and private hosts, and the reason names them', () => {
  const cases: [CallEffects, RuleMatcher][] = [
    [writeTo('/w/a'), { kind: 'folder', class: 'write', path: '/w' }],
    [program('make', '-j2'), { kind: 'exact-command', line: 'make -j2', directory: '/w' }],
    [looking('/w'), { kind: 'repository', path: '/w' }],
    [
      request('http://10.0.0.1/', 'GET', 'network-private'),
      { kind: 'host', class: 'network-private', host: '10.0.0.1' },
    ],
    [outside, { kind: 'folder', class: 'read', path: '/repo' }],
  ];
  for (const [effects, matcher] of cases) {
    expect(decide(policyInput(effects, { rules: [ruleOf(matcher)] }))).toMatchObject({
      answer: 'allow',
      by: 'rule',
      reason: { code: 'rules', rules: ['my rule'] },
      rules: [{ id: 'r1' }],
    });
  }
});

test('a rule for one of several accesses leaves the others to be asked about', () => {
  const rules = [ruleOf({ kind: 'folder', class: 'write', path: '/w/a' })];
  const effects = many(writeTo('/w/a/x'), writeTo('/w/b/x'));
  const decision = decide(policyInput(effects, { rules }));
  expect(decision).toMatchObject({ answer: 'ask' });
  expect(decision.answer === 'ask' && decision.offers.map(({ matcher }) => matcher)).toEqual([
    { kind: 'folder', class: 'write', path: '/w' },
    { kind: 'folder', class: 'write', path: '/w/b' },
  ]);
});

test('the strictest of several accesses says why it is asked and whether a rule may be kept', () => {
  const decision = decide(policyInput(many(writeTo('/w/a'), sending)));
  expect(decision).toMatchObject({
    answer: 'ask',
    reason: { code: 'send' },
    offers: [],
    classes: ['write', 'send'],
  });
});

test('sending is always asked about and nothing can be kept, not even for a tool that only declares it', () => {
  const rules = [
    ruleOf({ kind: 'host', class: 'network', host: 'example.org' }),
    ruleOf({ kind: 'host', class: 'network-private', host: '10.0.0.1' }),
  ];
  for (const effects of [
    sending,
    request('https://example.org/', 'POST'),
    request('https://example.org/', 'PURGE'),
    request('http://10.0.0.1/', 'POST', 'network-private'),
  ]) {
    expect(decide(policyInput(effects, { rules }))).toMatchObject({ answer: 'ask', offers: [] });
  }
  expect(decide(policyInput(request('https://example.org/'), { rules, declaredClass: 'send' }))).toMatchObject({
    answer: 'ask',
    offers: [],
  });
});

test('every offered rule lets the same call through once it is kept', () => {
  for (const effects of [
    writeTo('/w/n/a'),
    program('git', 'status'),
    shellLine('npm test'),
    looking('/w'),
    outside,
    many(writeTo('/w/a/x'), writeTo('/w/b/y')),
  ]) {
    const decision = decide(policyInput(effects));
    const offers = decision.answer === 'ask' ? decision.offers : [];
    expect(offers.length).toBeGreaterThan(0);
    for (const offer of offers) {
      expect(decide(policyInput(effects, { rules: [{ ...ruleOf(offer.matcher), ...offer }] })).answer).toBe('allow');
    }
  }
});

test('while text from outside is here, a command needs a rule that was made in the face of it, in this conversation', () => {
  for (const [effects, code] of [
    [program('make'), 'command_untrusted'],
    [looking('/w'), 'repository'],
  ] as const) {
    const before = decide(policyInput(effects));
    const [made] = before.answer === 'ask' ? before.offers : [];
    if (made === undefined) throw new Error('nothing was offered');
    const rules = [{ ...ruleOf(made.matcher), ...made }];
    expect(decide(policyInput(effects, { rules })).answer).toBe('allow');
    expect(decide(policyInput(effects, { rules, marks: [privateMark] })).answer).toBe('allow');

    const asked = decide(policyInput(effects, { rules, marks: [untrusted] }));
    expect(asked).toMatchObject({ answer: 'ask', reason: { code }, marksShown: [untrusted] });
    const [offer] = asked.answer === 'ask' ? asked.offers : [];
    if (offer === undefined) throw new Error('nothing was offered');
    const kept = [{ ...ruleOf(offer.matcher), ...offer }];
    expect(decide(policyInput(effects, { rules: kept, marks: [untrusted] })).answer).toBe('allow');
    for (const conversationId of ['conversation-2', null])
      expect(decide(policyInput(effects, { rules: kept, marks: [untrusted], conversationId })).answer).toBe('ask');
    expect(decide(policyInput(program('make', 'all'), { rules: kept, marks: [untrusted] })).answer).toBe('ask');
  }
});

test('outside any conversation no rule is made that would count while text from outside is here', () => {
  const input = policyInput(program('make'), { marks: [untrusted], conversationId: null });
  expect(decide(input)).toMatchObject({ answer: 'ask', offers: [] });
});

test('with unreviewed files in a root, no rule covers commands there', () => {
  const unreviewedFiles = (folder: string) => (folder === '/w' ? ['/w/package.json'] : []);
  const rules = [
    ruleOf({ kind: 'exact-command', line: 'make', directory: '/w' }),
    ruleOf({ kind: 'exact-command', line: 'make', directory: '/other' }),
    ruleOf({ kind: 'repository', path: '/w' }),
  ];
  for (const effects of [program('make'), looking('/w')]) {
    expect(decide(policyInput(effects, { rules })).answer).toBe('allow');
    expect(decide(policyInput(effects, { rules, unreviewedFiles }))).toMatchObject({ answer: 'ask', offers: [] });
  }
  const elsewhere = {
    access: [{ kind: 'command', class: 'execute', command: { kind: 'argv', argv: ['make'] }, directory: '/other' }],
  } as const;
  expect(decide(policyInput(elsewhere, { rules, unreviewedFiles })).answer).toBe('allow');
  expect(decide(policyInput(looking(null), { unreviewedFiles })).answer).toBe('allow');
});

test('with both marks asking another model asks, with text from outside alone writing to memory does', () => {
  const provider = request('https://api.openai.com/v1/responses', 'POST');
  const ask = (effects: CallEffects, marks: typeof both) =>
    decide(policyInput(effects, { tool: 'ask_openai', asksModel: true, declaredClass: 'network', marks })).answer;
  for (const effects of [provider, { access: [] }, app('read')]) {
    expect(ask(effects, [untrusted])).toBe('allow');
    expect(ask(effects, both)).toBe('ask');
  }
  const memory = (marks: PolicyInput['marks']) => decide(policyInput(app('write', true), { marks }));
  expect(memory([untrusted])).toMatchObject({ answer: 'ask', reason: { code: 'memory_marked' }, offers: [] });
  expect(memory(both)).toMatchObject({ answer: 'ask', offers: [] });
  expect(memory([privateMark]).answer).toBe('allow');
  expect(decide(policyInput(app('write', false), { marks: both })).answer).toBe('allow');
  expect(decide(policyInput(app('read', true), { marks: both })).answer).toBe('allow');
});

test('a tool that is only named like ask_* is no second opinion: what it posts counts as sent', () => {
  const provider = request('https://api.openai.com/v1/responses', 'POST');
  const named = { tool: 'ask_openai', declaredClass: 'network' } as const;
  expect(decide(policyInput(provider, named))).toMatchObject({ answer: 'ask', classes: ['send'], offers: [] });
  expect(decide(policyInput({ access: [] }, named)).answer).toBe('ask');
  expect(decide(policyInput(provider, { ...named, asksModel: true })).answer).toBe('allow');
});

test('configured endpoints are exempt from private network by exact origin only', () => {
  const endpointOrigins = ['http://127.0.0.1:8123/prefix'];
  const answer = (url: string, method = 'GET') =>
    decide(policyInput(request(url, method, 'network-private'), { endpointOrigins })).answer;
  expect(answer('http://127.0.0.1:8123/anything')).toBe('allow');
  expect(answer('http://127.0.0.1:8124/')).toBe('ask');
  expect(answer('https://127.0.0.1:8123/')).toBe('ask');
  expect(answer('http://localhost:8123/')).toBe('ask');
  expect(answer('http://127.0.0.1:8123@10.0.0.1/')).toBe('ask');
  expect(answer('http://127.0.0.1:8123/', 'POST')).toBe('ask');
});

test('a request without a usable URL asks', () => {
  const effects: CallEffects = {
    access: [{ kind: 'request', class: 'network', url: 'nonsense', host: 'example.org', method: 'GET' }],
  };
  expect(decide(policyInput(effects)).answer).toBe('ask');
});

test('a variable that looks like a secret asks every time, and no rule can be made or answers', () => {
  const rules = [
    ruleOf({ kind: 'folder', class: 'read', path: '/' }),
    ruleOf({ kind: 'exact-command', line: 'get_environment_variable', directory: '/w' }),
    ruleOf({ kind: 'host', class: 'network', host: 'BRAVE_API_KEY' }),
  ];
  for (const effects of [secretVariable, many(secretVariable, readOf('/w/a')), many(secretVariable, outside)]) {
    const decision = decide(policyInput(effects, { declaredClass: 'read', rules }));
    const reason = { code: 'secret_variable' };
    expect(decision).toMatchObject({ answer: 'ask', reason, classes: ['read'], offers: [] });
  }
});

test('ending a shell asks like a command, and no rule can be made for it', () => {
  const decision = decide(policyInput(program('kill', '-TERM', '--', '-4711'), { declaredClass: 'execute' }));
  expect(decision).toMatchObject({ answer: 'ask', classes: ['execute'], offers: [] });
});

test('the private network can be disabled entirely, for every method, except configured endpoints', () => {
  const rules = [ruleOf({ kind: 'host', class: 'network-private', host: '10.0.0.1' })];
  const answer = (url: string, method: string, endpointOrigins: readonly string[] = []) =>
    decide(
      policyInput(request(url, method, 'network-private'), { rules, endpointOrigins, allowPrivateNetwork: 'never' }),
    );
  for (const method of ['GET', 'POST'])
    expect(answer('http://10.0.0.1/', method)).toMatchObject({
      answer: 'deny',
      reason: { code: 'private_network_off' },
    });
  expect(answer('http://10.0.0.1/', 'GET', ['http://10.0.0.1']).answer).toBe('allow');
});

test('no rule leads to what hands out credentials, by whatever name', () => {
  const host = 'inner.example';
  const access = {
    kind: 'request',
    class: 'network-private',
    url: `http://${host}/`,
    host,
    method: 'GET',
    isMetadata: true,
  } as const;
  const rules = [ruleOf({ kind: 'host', class: 'network-private', host })];
  expect(decide(policyInput({ access: [access] }, { rules }))).toMatchObject({ answer: 'ask', offers: [] });
});

test('a command that no rule can cover is offered for the conversation, unless it is grave or it is not known what came from outside', () => {
  const install = program('npm', 'install');
  const offers = (more: Partial<PolicyInput>, effects = install) => {
    const decision = decide(policyInput(effects, more));
    return decision.answer === 'ask' ? decision.offers.map(({ matcher }) => matcher.kind) : [];
  };
  expect(offers({ outside: [] })).toEqual(['repeated-command']);
  expect(offers({ outside: [{ seq: 3, ruleId: null }], marks: [untrusted] })).toEqual(['repeated-command']);
  expect(offers({ outside: [], isGrave: true })).toEqual([]);
  expect(offers({ outside: undefined })).toEqual([]);
  expect(offers({ outside: [] }, program('npm', 'test'))).toEqual(['exact-command']);
  const unreviewed = { outside: [], unreviewedFiles: () => ['/w/package.json'] };
  expect(offers(unreviewed)).toEqual([]);
});

test('such an answer holds for exactly this command and folder, until text from outside comes in that the command did not bring itself', () => {
  const asked = decide(policyInput(program('npm', 'install'), { outside: [{ seq: 3, ruleId: null }] }));
  const [offer] = asked.answer === 'ask' ? asked.offers : [];
  if (offer === undefined) throw new Error('nothing was offered');
  const answer = (more: Partial<PolicyInput>, effects = program('npm', 'install')) =>
    decide(policyInput(effects, { rules: [ruleOf(offer.matcher)], ...more })).answer;
  const before = { seq: 3, ruleId: null };
  expect(answer({ outside: [before] })).toBe('allow');
  // The command's own output is from outside as well.
  const own = { seq: 9, ruleId: 'r1' };
  expect(answer({ outside: [before, own], marks: [untrusted] })).toBe('allow');
  for (const arrival of [
    { seq: 10, ruleId: null },
    { seq: 10, ruleId: 'r2' },
  ])
    expect(answer({ outside: [before, own, arrival], marks: [untrusted] })).toBe('ask');
  expect(answer({ outside: undefined })).toBe('ask');
  expect(answer({ outside: [before], isGrave: true })).toBe('ask');
  expect(answer({ outside: [before], unreviewedFiles: () => ['/w/package.json'] })).toBe('ask');
  expect(answer({ outside: [before] }, program('npm', 'install', 'x'))).toBe('ask');
  const elsewhere: CallEffects = {
    access: program('npm', 'install').access.map((access) => ({ ...access, directory: '/w/other' })),
  };
  expect(answer({ outside: [before] }, elsewhere)).toBe('ask');
});
