import { describe, expect, test } from 'vitest';
import { flagConsent } from '../../../../src-main/headless/flag-consent.ts';
import type { Access, McpAccess } from '../../../../src-main/policy/access.ts';
import { serviceOfServer } from '../../../../src-main/policy/accesses/mcp.ts';
import { consequencesOf } from '../../../../src-main/policy/consequences.ts';
import { decide, type PolicyInput } from '../../../../src-main/policy/decide.ts';
import type { Rule, RuleDraft } from '../../../../src-main/policy/rules.ts';
import type { DecisionReason } from '../../../../src-preload/contract/decision-reason.ts';
import {
  FakeLinks,
  gateCall,
  gateWith,
  never,
  no,
  policyInput,
  privateMark,
  User,
  untrusted,
  yesOnce,
} from '../../../fixtures/memory-ports.ts';

const both = [untrusted, privateMark];
const call = (more: Partial<McpAccess> = {}): McpAccess => ({
  kind: 'mcp',
  class: 'read',
  classFrom: 'user',
  server: 'files',
  tool: 'list',
  text: 'outside',
  remoteHost: null,
  ...more,
});
const address = (host: string, more: Partial<Extract<Access, { host: string }>> = {}): Access => ({
  kind: 'request',
  class: 'network',
  url: `https://${host}/`,
  host,
  method: 'GET',
  isArgument: true,
  ...more,
});
const judged = (access: Access | readonly Access[], more: Partial<PolicyInput> = {}) =>
  decide(
    policyInput({ access: Array.isArray(access) ? access : [access as Access] }, { tool: 'files__list', ...more }),
  );
const kept = (draft: RuleDraft): Rule => ({
  ...draft,
  id: 'r',
  conversationId: null,
  createdAt: '',
  lastUsedAt: null,
  uses: 0,
});
const offersOf = (decision: ReturnType<typeof decide>) => (decision.answer === 'ask' ? decision.offers : []);

test.each([
  ['the table says that it reads', { classFrom: 'table' }, 'allow', 'mcp_read', 0],
  ['the user said that it reads', { classFrom: 'user' }, 'allow', 'mcp_read', 0],
  ['the server claims that it reads', { classFrom: 'claim' }, 'ask', 'mcp_claim', 1],
  [
    'the server claims that it reads, and its name says otherwise',
    { classFrom: 'claim', tool: 'deleteAll' },
    'ask',
    'mcp_claim_doubtful',
    1,
  ],
  ['nothing says what it does', { class: 'write', classFrom: 'none' }, 'ask', 'mcp_unknown', 1],
  ['the server claims that it writes', { class: 'write', classFrom: 'claim' }, 'ask', 'mcp_write', 1],
  ['the user said that it writes', { class: 'write', classFrom: 'user' }, 'ask', 'mcp_write', 1],
  ['the table says that it writes', { class: 'write', classFrom: 'table' }, 'ask', 'mcp_write', 1],
  ['the table says that it sends', { class: 'send', classFrom: 'table' }, 'ask', 'send', 0],
  ['the user said that it sends', { class: 'send', classFrom: 'user' }, 'ask', 'send', 0],
  ['the server claims that it sends', { class: 'send', classFrom: 'claim' }, 'ask', 'send', 0],
] as const)('where %s', (_, facts, answer, code, offers) => {
  const decision = judged(call(facts));
  expect(decision).toMatchObject({ answer, reason: { code } });
  expect(offersOf(decision)).toHaveLength(offers);
});

describe('a rule for a tool', () => {
  const write = call({ class: 'write', classFrom: 'none' });
  const rules = offersOf(judged(write)).map(kept);

  test('answers for exactly this tool of exactly this server', () => {
    expect(judged(write, { rules })).toMatchObject({ answer: 'allow', by: 'rule' });
    expect(judged({ ...write, tool: 'other' }, { rules }).answer).toBe('ask');
    expect(judged({ ...write, server: 'other' }, { rules }).answer).toBe('ask');
  });

  test('does not apply once the tool is classified differently', () => {
    expect(judged({ ...write, class: 'read', classFrom: 'claim' }, { rules }).answer).toBe('ask');
    expect(judged({ ...write, class: 'send' }, { rules })).toMatchObject({ answer: 'ask', reason: { code: 'send' } });
  });

  test('does not answer for a change while text from outside is there, and none is offered', () => {
    for (const standing of [rules, rules.map((rule) => ({ ...rule, conversationId: 'conversation-1' }))]) {
      const decision = judged(write, { rules: standing, marks: [untrusted] });
      expect(decision).toMatchObject({ answer: 'ask', reason: { code: 'mcp_write_untrusted' }, offers: [] });
    }
  });

  test('answers for a claim to read while text from outside is there only if the question said so, here', () => {
    const claim = call({ classFrom: 'claim' });
    const before = offersOf(judged(claim)).map(kept);
    expect(judged(claim, { rules: before }).answer).toBe('allow');
    const asked = judged(claim, { rules: before, marks: [untrusted] });
    expect(asked).toMatchObject({ answer: 'ask', marksShown: [untrusted] });
    const here = offersOf(asked).map(kept);
    expect(judged(claim, { rules: here, marks: [untrusted] }).answer).toBe('allow');
    expect(judged(claim, { rules: here, marks: [untrusted], conversationId: 'another' }).answer).toBe('ask');
  });
});

describe('a claim to read', () => {
  const asked = async (
    calls: readonly (readonly [Partial<McpAccess>, PolicyInput['marks'], string?])[],
    answer: () => typeof yesOnce | typeof no = () => yesOnce,
  ) => {
    const user = new User(answer);
    const { gate } = gateWith(user);
    const counts: number[] = [];
    for (const [more, marks, conversationId = 'conversation-1'] of calls) {
      await gate.authorize(
        gateCall({ access: [call({ classFrom: 'claim', ...more })] }, { marks, conversationId }),
        never,
      );
      counts.push(user.asked.length);
    }
    return counts;
  };

  test('asks once per tool and conversation', async () => {
    const calls = [
      [{}, []],
      [{}, [privateMark]],
      [{ tool: 'other' }, []],
      [{ server: 'b' }, []],
      [{}, [], 'another'],
    ] as const;
    expect(await asked(calls)).toEqual([1, 1, 2, 3, 4]);
    expect(
      await asked(
        [
          [{}, []],
          [{}, []],
        ],
        () => no,
      ),
    ).toEqual([1, 2]);
  });

  test('once text from outside is there, only a yes that was given beside it counts', async () => {
    expect(
      await asked([
        [{}, []],
        [{}, [untrusted]],
        [{}, both],
        [{}, []],
      ]),
    ).toEqual([1, 2, 2, 2]);
  });

  test('covers nothing else: not what the name contradicts, no other class, no address, no other host', async () => {
    const named = { tool: 'create_issue' };
    expect(
      await asked([
        [named, []],
        [named, []],
      ]),
    ).toEqual([1, 2]);
    expect(
      await asked([
        [{}, []],
        [{ class: 'write' }, []],
        [{ content: 'resources' }, []],
      ]),
    ).toEqual([1, 2, 3]);
    expect(
      await asked([
        [{}, []],
        [{ remoteHost: 'elsewhere.example' }, []],
      ]),
    ).toEqual([1, 2]);
    const user = new User(() => yesOnce);
    const { gate } = gateWith(user);
    const claim = call({ classFrom: 'claim' });
    for (const access of [[claim], [claim, address('evil.example')]])
      await gate.authorize(gateCall({ access }, { marks: [privateMark] }), never);
    expect(user.asked.map(({ reason }) => reason.code)).toEqual(['mcp_claim', 'address_composed']);
  });
});

describe('consequences of allowing a call', () => {
  const codes = (access: readonly Access[], reason: DecisionReason = { code: 'send' }) =>
    consequencesOf(
      { access, classes: access.map((each) => each.class), reason },
      { realWorkspace: '/w', home: '/home/ada', realPath: (path) => path, isInsideRoots: () => true },
    ).consequences;

  test('are unknown for an unreviewed tool, and so are the recipients of a sending tool', () => {
    const unknown = { code: 'unknown_effects', of: 'tool' };
    expect(codes([call({ classFrom: 'claim' })])).toEqual([unknown]);
    expect(codes([call({ class: 'write', classFrom: 'none' })])).toEqual([unknown]);
    expect(codes([call({ class: 'write', classFrom: 'user' })])).toEqual([]);
    expect(codes([call({ class: 'send' }), address('named.example')])).toEqual([unknown, { code: 'cannot_be_undone' }]);
  });

  test('is that private text goes to where the server is', () => {
    const reason = { code: 'mcp_remote_marked', server: 'files' } as const;
    expect(codes([call({ remoteHost: 'mcp.example.org' })], reason)).toEqual([
      { code: 'may_send_private_text', hosts: ['mcp.example.org'] },
    ]);
  });
});

test('a lying claim never runs a tool that writes without a question', () => {
  for (const marks of [[], [untrusted], [privateMark], both])
    expect(judged(call({ classFrom: 'claim', tool: 'delete_all' }), { marks }).answer).toBe('ask');
});

test('`--approve reads` does not answer for what only the server says', async () => {
  const answerTo = async (access: McpAccess) => {
    const { gate } = gateWith(flagConsent('reads'));
    const authorization = await gate.authorize(gateCall({ access: [access] }), never);
    return authorization.answer;
  };
  expect(await answerTo(call({ classFrom: 'claim' }))).toBe('deny');
  expect(await answerTo(call({ class: 'write', classFrom: 'none' }))).toBe('deny');
  expect(await answerTo(call())).toBe('allow');
});

describe('an address in the arguments', () => {
  test.each<[string, Access, Partial<PolicyInput>, string]>([
    ['public, with nothing private there', address('evil.example'), {}, 'allow'],
    ['public, while private text is there', address('evil.example'), { marks: [privateMark] }, 'ask'],
    ['named by the person', address('good.example'), { marks: both, namedHosts: new Set(['good.example']) }, 'allow'],
    ['a seen link', address('good.example'), { marks: both, links: new FakeLinks(['https://good.example/']) }, 'allow'],
    ['of documentation', address('docs.python.org'), { marks: both }, 'allow'],
    ['on the own network', address('10.0.0.1', { class: 'network-private' }), {}, 'ask'],
    ['on the own network, where that is off', address('10.0.0.1'), { allowPrivateNetwork: 'never' }, 'deny'],
  ])('%s', (_, access, more, answer) => {
    expect(judged([call({ tool: 'fetch' }), access], more).answer).toBe(answer);
  });

  test('may be allowed as a host where the tool itself does not ask', () => {
    const accesses = [call({ tool: 'fetch' }), address('evil.example')];
    const offers = offersOf(judged(accesses, { marks: [privateMark] }));
    expect(offers.map(({ matcher }) => matcher.kind)).toEqual(['host']);
    expect(judged(accesses, { marks: [privateMark], rules: offers.map(kept) }).answer).toBe('allow');
  });

  test('is not covered by a rule for the tool', () => {
    const write = call({ class: 'write', classFrom: 'none' });
    const rules = offersOf(judged(write)).map(kept);
    const decision = judged([write, address('evil.example')], { marks: [privateMark], rules });
    expect(decision).toMatchObject({ answer: 'ask', reason: { code: 'address_composed' } });
  });
});

describe('a server on another machine, while both marks hold', () => {
  const remote = call({ remoteHost: 'mcp.example.org' });

  test('asks once in a conversation', async () => {
    const user = new User(() => yesOnce);
    const { gate } = gateWith(user);
    const run = (access: McpAccess, conversationId = 'conversation-1') =>
      gate.authorize(gateCall({ access: [access] }, { marks: both, conversationId }), never);
    expect((await run(remote)).answer).toBe('allow');
    expect((await run({ ...remote, tool: 'other' })).answer).toBe('allow');
    expect(user.asked.map(({ reason }) => reason.code)).toEqual(['mcp_remote_marked']);
    await run({ ...remote, server: 'another' });
    await run(remote, 'another');
    expect(user.asked).toHaveLength(3);
  });

  test('denials, and approvals from before they applied, do not count', async () => {
    const user = new User((_, asked) => (asked === 1 ? no : yesOnce));
    const { gate } = gateWith(user);
    const run = (access: McpAccess, marks: PolicyInput['marks']) =>
      gate.authorize(gateCall({ access: [access] }, { marks }), never);
    expect((await run(remote, both)).answer).toBe('deny');
    await run({ ...remote, classFrom: 'claim' }, [privateMark]);
    expect((await run(remote, both)).answer).toBe('allow');
    expect(user.asked.map(({ reason }) => reason.code)).toEqual([
      'mcp_remote_marked',
      'mcp_claim',
      'mcp_remote_marked',
    ]);
  });

  test.each<[string, McpAccess, Partial<PolicyInput>]>([
    ['with one mark', remote, { marks: [privateMark] }],
    ['on this machine', call(), { marks: both }],
    ['that the person named', remote, { marks: both, namedHosts: new Set(['mcp.example.org']) }],
  ])('does not ask %s', (_, access, more) => {
    expect(judged(access, more).answer).toBe('allow');
  });

  test('a yes for this conversation does not follow the name to another host', () => {
    const allowedServices = new Set([serviceOfServer(remote)]);
    const elsewhere: McpAccess = { ...remote, remoteHost: 'evil.example' };
    const answers = [remote, elsewhere].map((access) => judged(access, { marks: both, allowedServices }).answer);
    expect(answers).toEqual(['allow', 'ask']);
  });

  test('still asks about what it sends and changes each time', () => {
    const allowedServices = new Set([serviceOfServer(remote)]);
    const answers = (['send', 'write'] as const).map(
      (mcpClass) => judged({ ...remote, class: mcpClass }, { marks: both, allowedServices }).answer,
    );
    expect(answers).toEqual(['ask', 'ask']);
  });
});
