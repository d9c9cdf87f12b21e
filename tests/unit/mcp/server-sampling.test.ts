import type { CreateMessageRequestParams } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../../src-main/mcp/calls/running-calls.ts';
import { UnusableRequest } from '../../../src-main/mcp/requests/requested-form.ts';
import type { ModelProvider, ModelRequest, ModelStreamEvent } from '../../../src-main/models/provider.ts';
import type { ConsentAnswer, ConsentRequest } from '../../../src-main/policy/consent.ts';
import { serverSampling } from '../../../src-main/services/server-sampling.ts';
import { AskedUser, NO, YES } from '../../fixtures/mcp/asked-user.ts';
import { anyModel } from '../../fixtures/scripted-model.ts';

const USAGE = { input: 1_000, output: 100, cacheRead: 0, cacheWrite: 0 };
const userMessage = (text: string) => ({ role: 'user', content: { type: 'text', text } }) as const;

function rig(answer: (request: ConsentRequest) => ConsentAnswer, events?: readonly ModelStreamEvent[]) {
  const sent: ModelRequest[] = [];
  const recorded: RecordedEvent[] = [];
  const user = new AskedUser(answer);
  const provider: ModelProvider = {
    ...anyModel,
    limits: () => ({ contextTokens: 100_000, maxOutputTokens: 4_000 }),
    price: () => ({ input: 10, output: 50, cacheRead: 0, cacheWrite: 0 }),
    async *stream(request) {
      sent.push(request);
      yield* events ?? [
        { type: 'block', block: { type: 'text', text: 'An answer' } },
        { type: 'end', stopReason: 'end_turn', usage: USAGE },
      ];
    },
  };
  const modelOf = async () => ({ label: 'model-1', model: 'model-1', provider });
  const port = serverSampling({ consent: user.consent, modelOf });
  const signal = new AbortController().signal;
  const sample = (
    params: Partial<CreateMessageRequestParams>,
    conversationId = 'one',
    server = 'fixture',
    conversations = 1,
  ) =>
    port(
      server,
      { messages: [userMessage('Hello')], maxTokens: 100, ...params },
      { call: { conversationId, signal, record: (event) => void recorded.push(event) }, conversations },
      signal,
    );
  return { sample, sent, recorded, user };
}

test('what is sent is what was shown, never longer than the model and Steward allow, and paid for by the turn', async () => {
  const { sample, sent, recorded, user } = rig(() => YES);
  const params = {
    systemPrompt: 'Be brief',
    maxTokens: 1_000_000,
    includeContext: 'allServers',
    temperature: 2,
  } as const;
  expect(await sample(params)).toEqual({
    role: 'assistant',
    model: 'model-1',
    stopReason: 'endTurn',
    content: { type: 'text', text: 'An answer' },
  });
  expect(sent).toMatchObject([
    {
      model: 'model-1',
      system: 'Be brief',
      tools: [],
      maxTokens: 4_000,
      messages: [{ role: 'user', content: [{ text: 'Hello' }] }],
    },
  ]);
  expect(user.asked).toMatchObject([
    {
      kind: 'sampling',
      system: 'Be brief',
      messages: [{ role: 'user', text: 'Hello' }],
      wantsContext: true,
      cost: { mostOutputTokens: 4_000, most: expect.closeTo(0.2, 2) },
    },
  ]);
  expect(recorded).toMatchObject([
    { type: 'server_request', asked: 'sampling', answer: 'accepted' },
    { type: 'usage', server: 'fixture', model: 'model-1', costUsd: 0.015 },
  ]);
});

test('a declined request is not sent, and the decision is recorded', async () => {
  const { sample, sent, recorded } = rig(() => NO);
  await expect(sample({})).rejects.toMatchObject({ code: -1 });
  expect(sent).toEqual([]);
  expect(recorded).toMatchObject([{ answer: 'declined' }]);
});

test('a yes for the conversation holds for this server there, and not for ever', async () => {
  const { sample, sent, user } = rig(() => ({ ...YES, forServer: true }));
  for (let time = 0; time < 25; time++) await sample({});
  expect(user.asked).toHaveLength(1);
  await sample({});
  expect(user.asked).toHaveLength(2);
  await sample({}, 'another conversation');
  await sample({}, 'one', 'another server');
  expect(user.asked).toHaveLength(4);
  expect(sent).toHaveLength(28);
  // Where it may be for another conversation, it is asked about.
  const shared = rig(() => ({ ...YES, forServer: true }));
  await shared.sample({});
  await shared.sample({}, 'one', 'fixture', 2);
  await shared.sample({}, 'one', 'fixture', 2);
  expect(shared.user.asked).toHaveLength(3);
  // The control: a yes to one request is one to that.
  const once = rig(() => YES);
  for (let time = 0; time < 3; time++) await once.sample({});
  expect(once.user.asked).toHaveLength(3);
});

test('the server’s own tools go to the model, and its calls of them come back to the server', async () => {
  const call = { type: 'tool_use', id: 'call-1', name: 'weather', input: { city: 'Lisbon' } } as const;
  const { sample, sent, user } = rig(
    () => YES,
    [
      { type: 'block', block: call },
      { type: 'end', stopReason: 'tool_use', usage: USAGE },
    ],
  );
  const tools = [{ name: 'weather', description: 'The weather', inputSchema: { type: 'object' as const } }];
  expect(await sample({ tools })).toMatchObject({ stopReason: 'toolUse', content: [call] });
  expect(user.asked).toMatchObject([{ tools: [{ name: 'weather' }] }]);
  await sample({
    tools,
    messages: [
      userMessage('Hello'),
      { role: 'assistant', content: [call] },
      {
        role: 'user',
        content: [{ type: 'tool_result', toolUseId: 'call-1', content: [{ type: 'text', text: '21 °C' }] }],
      },
    ],
  });
  expect(sent[1]?.messages).toMatchObject([
    {},
    { role: 'assistant', content: [call] },
    { role: 'user', content: [{ type: 'tool_result', toolUseId: 'call-1', content: '21 °C' }] },
  ]);
  // Offered only if it may be called.
  await sample({ tools, toolChoice: { mode: 'none' } });
  expect(sent[2]?.tools).toEqual([]);
});

test.each<[string, Partial<CreateMessageRequestParams>]>([
  ['no messages', { messages: [] }],
  ['more text than a user can check', { messages: [userMessage('x'.repeat(100_001))] }],
  ['more messages than a user can check', { messages: Array.from({ length: 51 }, () => userMessage('x')) }],
  ['audio', { messages: [{ role: 'user', content: { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' } }] }],
  ['a tool of a name that models do not take', { tools: [{ name: 'a b', inputSchema: { type: 'object' } }] }],
])('%s: nobody is asked', async (_, params) => {
  const { sample, user, sent } = rig(() => YES);
  await expect(sample(params)).rejects.toBeInstanceOf(UnusableRequest);
  expect(user.asked).toEqual([]);
  expect(sent).toEqual([]);
});
