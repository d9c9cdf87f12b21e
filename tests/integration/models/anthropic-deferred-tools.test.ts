import { expect, test } from 'vitest';
import type { Message } from '../../../src-main/models/messages.ts';
import type { ToolDefinition } from '../../../src-main/models/provider.ts';
import { allTools } from '../../fixtures/many-tools/all-tools.ts';
import { isRecord, promptOf } from '../../fixtures/messages-api/refusals.ts';
import { HELLO } from './asking.ts';
import { setUp } from './claude-on-fixture.ts';

const finder: ToolDefinition = { name: 'find_tools', description: 'Finds tools.', inputSchema: { type: 'object' } };
const tools: readonly ToolDefinition[] = [finder, ...allTools.map((tool) => ({ ...tool, isDeferred: true as const }))];
const found: readonly Message[] = [
  HELLO,
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'a', name: 'find_tools', input: { query: 'create an issue' } }],
  },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        toolUseId: 'a',
        content: 'Found 1 tools:\n- tracker__create_issue: …',
        isError: false,
        foundTools: ['tracker__create_issue'],
      },
    ],
  },
];
const called: readonly Message[] = [
  ...found,
  { role: 'assistant', content: [{ type: 'tool_use', id: 'b', name: 'tracker__create_issue', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', toolUseId: 'b', content: 'done', isError: false }] },
];

const bodies = (server: { readonly requests: readonly { readonly body: unknown }[] }) =>
  server.requests.map(({ body }) => (isRecord(body) ? body : {}));
const namesIn = (body: Readonly<Record<string, unknown>>) =>
  (Array.isArray(body.tools) ? body.tools : []).flatMap((tool) => (isRecord(tool) ? [tool.name] : []));

test('with 2,000 deferred tools, what was read before stays the beginning of every later prompt', async () => {
  const { server, ask } = await setUp({ turns: [{ text: '1' }, { text: '2' }, { text: '3' }] });
  for (const messages of [[HELLO], found, called]) await ask({ tools, messages });
  const prompts = bodies(server).map(promptOf);
  expect(prompts[1]?.startsWith(`${prompts[0]}\n`)).toBe(true);
  expect(prompts[2]?.startsWith(`${prompts[1]}\n`)).toBe(true);
  // The control: without deferral, all definitions come first.
  expect(prompts[0]?.length).toBeLessThan(1_000);
  expect(prompts[1]).toContain('Create a new issue.');
  const plain = tools.map(({ isDeferred: _, ...tool }) => tool);
  await setUp({ turns: [{ text: '1' }] }).then(async (other) => {
    await other.ask({ tools: plain });
    expect(promptOf(bodies(other.server)[0] ?? {}).length).toBeGreaterThan(400_000);
  });
});

test('a conversation whose tool no longer exists goes on', async () => {
  const { server, ask } = await setUp({ turns: [{ text: 'ok' }] });
  const left = tools.filter(({ name }) => name !== 'tracker__create_issue');
  expect((await ask({ tools: left, messages: called })).text).toBe('ok');
  expect(JSON.stringify(bodies(server)[0]?.messages)).not.toContain('tool_reference');
});

test('a gateway that refuses deferred tools is sent those that were found, and is not asked again', async () => {
  const { server, provider, ask } = await setUp({ turns: [{ text: 'ok' }, { text: 'ok' }], refuseDeferral: true });
  expect(provider.capabilities('claude-sonnet-5-5').deferredTools).toBe(true);
  expect((await ask({ tools, messages: found })).text).toBe('ok');
  expect((await ask({ tools, messages: called })).text).toBe('ok');
  expect(bodies(server).map(namesIn).slice(1)).toEqual([
    ['find_tools', 'tracker__create_issue'],
    ['find_tools', 'tracker__create_issue'],
  ]);
  expect(provider.capabilities('claude-sonnet-5-5').deferredTools).toBe(false);
});

test.each([
  ['claude-haiku-4-5', true],
  ['claude-opus-4-5-20251101', true],
  ['claude-opus-5-5', true],
  ['claude-sonnet-6', true],
  ['claude-sonnet-4', false],
  ['claude-sonnet-4-20250514', false],
  ['claude-3-5-haiku-20241022', false],
  ['another-model', false],
])('%s takes deferred tools: %s', async (model, expected) => {
  const { provider } = await setUp({});
  expect(provider.capabilities(model).deferredTools).toBe(expected);
});
