import { expect, test } from 'vitest';
import { marksOfAccess } from '../../../src-main/policy/access-marks.ts';
import { describeAccess, shownClass } from '../../../src-main/policy/access-text.ts';
import { type ClientAccess, serviceOfClient } from '../../../src-main/policy/accesses/client.ts';
import { decide } from '../../../src-main/policy/decide.ts';
import { callTitle } from '../../../src-main/policy/question/call-title.ts';
import { ASK_CLIENT_NAME } from '../../../src-preload/contract/client-reason.ts';
import { decisionReasonText, whyNoOffer } from '../../../src-preload/contract/decision-reason.ts';
import { descriptionsOfClient } from '../../../src-preload/contract/mark-text.ts';
import {
  gateCall,
  gateWith,
  never,
  policyInput,
  privateMark,
  User,
  untrusted,
  yesOnce,
} from '../../fixtures/memory-ports.ts';

const tool = (more: Partial<ClientAccess> = {}): ClientAccess => ({
  kind: 'client',
  class: 'write',
  requiresPermission: false,
  client: 'Editor',
  tool: 'OpenFile',
  ...more,
});
const asking = tool({ requiresPermission: true });
const saidBy = (client: string) => [{ kind: 'untrusted', source: descriptionsOfClient(client) } as const];
const remembered = new Set([serviceOfClient(tool())]);

/** Source: design section 4 ("Client tools"). */
test.each([
  ['nothing is from outside', tool(), [], new Set<string>(), 'allow', 'client_tool'],
  ['only private text is there', tool(), [privateMark], new Set<string>(), 'allow', 'client_tool'],
  ['text from outside is there', tool(), [untrusted], new Set<string>(), 'ask', 'client_untrusted'],
  ['it has said something about its tools', tool(), saidBy('Editor'), new Set<string>(), 'allow', 'client_tool'],
  ['another client has', tool(), saidBy('Other'), new Set<string>(), 'ask', 'client_untrusted'],
  ['it was allowed in this conversation', tool(), [untrusted], remembered, 'allow', 'client_tool_allowed'],
  ['another tool was allowed', tool({ tool: 'Other' }), [untrusted], remembered, 'ask', 'client_untrusted'],
  [
    'a tool of another client was allowed',
    tool({ client: 'Other' }),
    [untrusted],
    remembered,
    'ask',
    'client_untrusted',
  ],
  ['the client wants to be asked', asking, [], new Set<string>(), 'ask', 'client_permission'],
  ['the same, after a yes', asking, [], remembered, 'ask', 'client_permission'],
] as const)('%s', (_, access, marks, allowedServices, answer, code) => {
  const decision = decide(policyInput({ access: [access] }, { marks, allowedServices }));
  expect(decision).toMatchObject({
    answer,
    reason: { code },
    classes: [access.requiresPermission ? 'execute' : 'write'],
  });
  // No rule covers it, whatever was read.
  if (decision.answer === 'ask') expect(decision.offers).toEqual([]);
});

test('an answer covers the tool in its conversation; with RequiresPermission, the call', async () => {
  const ask = async (access: ClientAccess, conversationId: string) => {
    await gate.authorize({ ...gateCall({ access: [access] }), conversationId, marks: [untrusted] }, never);
    return user.asked.length;
  };
  const user = new User(() => yesOnce);
  const { gate } = gateWith(user);
  expect(await ask(tool(), 'a')).toBe(1);
  expect(await ask(tool(), 'a')).toBe(1);
  expect(await ask(tool(), 'b')).toBe(2);
  expect(await ask(asking, 'a')).toBe(3);
  expect(await ask(asking, 'a')).toBe(4);
});

test('names that join to the same text are not taken for each other', () => {
  expect(serviceOfClient({ client: 'a","b', tool: 'c' })).not.toBe(serviceOfClient({ client: 'a', tool: 'b","c' }));
});

test('a question quotes the name that the program gives itself, and says that nothing is known', async () => {
  const user = new User(() => yesOnce);
  await gateWith(user).gate.authorize(gateCall({ access: [asking] }), never);
  const [request] = user.asked;
  if (request?.kind !== 'tool') throw new Error('It was not asked about');
  expect(callTitle(request)).toBe('Use OpenFile of “Editor”?');
  expect(request.consequences).toEqual([{ code: 'unknown_effects', of: 'tool' }]);
  expect(describeAccess(asking)).toContain('calls itself Editor');
  expect([shownClass(tool()), shownClass(asking)]).toEqual(['unreviewed', 'execute']);
  expect(decisionReasonText(request.reason)).toContain('calls itself Editor');
  expect(whyNoOffer(request.reason)).toBe('client_asks');
});

test('the program that runs ask is not said to call itself that', () => {
  const client = ASK_CLIENT_NAME;
  const texts = [
    ...(['client_tool', 'client_untrusted', 'client_permission'] as const).map((code) =>
      decisionReasonText({ code, client }),
    ),
    describeAccess({ ...asking, client }),
    descriptionsOfClient(client),
    ...marksOfAccess([{ ...asking, client }], (path) => path).map(({ source }) => source),
  ];
  for (const text of texts) {
    expect(text).toContain(client);
    expect(text).not.toMatch(/calls itself the program|the program the program/);
  }
});
