import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src-main/models/messages.ts';
import type { AssistantBlock } from '../../../src-preload/contract/content-blocks.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { sha256 } from '../../fixtures/scripted-service.ts';
import { failureOf, HELLO } from './asking.ts';
import { KEY, setUp } from './claude-on-fixture.ts';

describe('an answer', () => {
  test('text, thinking, redacted thinking and tool calls arrive in order, with usage', async () => {
    const { server, ask } = await setUp({
      turns: [
        {
          blocks: [
            { type: 'thinking', thinking: 'Let me see. 🤔' },
            { type: 'redacted_thinking', data: 'b64==' },
            { type: 'text', text: 'Grüße, 世界 👋' },
            {
              type: 'tool_use',
              id: 'toolu_1',
              name: 'read_file',
              input: { file_path: 'ä.txt', deep: { a: [1, null] } },
            },
            { type: 'tool_use', id: 'toolu_2', name: 'get_time' },
          ],
          usage: { input_tokens: 11, output_tokens: 22, cache_read_input_tokens: 33, cache_creation_input_tokens: 44 },
          deltaCharacters: 3,
        },
      ],
    });
    const { blocks, events, text, thinking } = await ask();
    expect(text).toBe('Grüße, 世界 👋');
    expect(thinking).toBe('Let me see. 🤔');
    expect(blocks.map((block) => block.type)).toEqual([
      'thinking',
      'redacted_thinking',
      'text',
      'tool_use',
      'tool_use',
    ]);
    expect(blocks[0]).toMatchObject({ thinking: 'Let me see. 🤔', signature: expect.stringMatching(/.+/) });
    expect(blocks.slice(3)).toEqual([
      { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: { file_path: 'ä.txt', deep: { a: [1, null] } } },
      { type: 'tool_use', id: 'toolu_2', name: 'get_time', input: {} },
    ]);
    expect(events.at(-1)).toEqual({
      type: 'end',
      stopReason: 'tool_use',
      usage: { input: 11, output: 22, cacheRead: 33, cacheWrite: 44 },
    });
    expect(server.seenKeys).toEqual([sha256(KEY)]);
  });

  test.each([
    'end_turn',
    'max_tokens',
    'stop_sequence',
    'tool_use',
    'pause_turn',
    'refusal',
    'model_context_window_exceeded',
  ])('the stop reason %s is passed on', async (stopReason) => {
    const { ask } = await setUp({ turns: [{ text: 'x', stopReason }] });
    expect((await ask()).events.at(-1)).toMatchObject({ type: 'end', stopReason });
  });

  test('a refusal says why, and an unheard-of stop reason ends the answer sensibly', async () => {
    const stopDetails = { type: 'refusal', category: 'cyber', explanation: 'Not allowed.' };
    const { ask } = await setUp({
      turns: [
        { stopReason: 'refusal', stopDetails },
        { blocks: [{ type: 'tool_use', name: 'x' }], stopReason: 'brand_new' },
      ],
    });
    expect((await ask()).events.at(-1)).toMatchObject({ stopReason: 'refusal', detail: 'cyber: Not allowed.' });
    expect((await ask()).events.at(-1)).toMatchObject({ stopReason: 'tool_use', detail: 'stop reason: brand_new' });
  });

  test('bytes may come one by one, with any line ends, and blocks of unknown types are passed over', async () => {
    for (const lineEnd of ['\n', '\r\n', '\r'] as const) {
      const blocks = [
        { type: 'unknown', block: { type: 'holo_gram', id: 'x' } },
        { type: 'text', text: 'ü€😀' },
        { type: 'tool_use', id: 't1', name: 'n', input: { k: '“é”' } },
      ] as const;
      const { ask } = await setUp({ turns: [{ blocks, bytesPerWrite: 1, lineEnd }] });
      expect((await ask()).blocks).toEqual([
        { type: 'text', text: 'ü€😀' },
        { type: 'tool_use', id: 't1', name: 'n', input: { k: '“é”' } },
      ]);
    }
  });

  test('a tool input that is not a JSON object keeps what came and says why', async () => {
    const raws = ['{"a": ', '[1]', '"x"', 'null', '{"a":1} trailing', ''];
    const { ask } = await setUp({
      turns: [{ blocks: raws.map((rawInput, i) => ({ type: 'tool_use', id: `t${i}`, name: 'n', rawInput })) }],
    });
    const { blocks } = await ask();
    expect(blocks).toHaveLength(6);
    for (const [i, raw] of raws.slice(0, 5).entries()) {
      expect(blocks[i]).toMatchObject({ input: {}, invalidInput: { raw, reason: expect.stringMatching(/.+/) } });
    }
    expect(blocks[5]).toEqual({ type: 'tool_use', id: 't5', name: 'n', input: {} });
  });

  test('a tool input that is too deep, too long or too much is none, and little of it is kept', async () => {
    const nested = '['.repeat(5_000) + ']'.repeat(5_000);
    const raws = [`{"a":${nested}}`, JSON.stringify({ a: 'x'.repeat(5e6) }), JSON.stringify({ a: Array(2e5).fill(1) })];
    const { ask } = await setUp({
      turns: [{ blocks: raws.map((rawInput, i) => ({ type: 'tool_use', id: `t${i}`, name: 'n', rawInput })) }],
    });
    const { blocks } = await ask();
    for (const [i, reason] of ['levels deep', 'characters', 'values'].entries()) {
      expect(blocks[i]).toMatchObject({ input: {}, invalidInput: { reason: expect.stringContaining(reason) } });
      expect(JSON.stringify(blocks[i]).length).toBeLessThan(50_000);
    }
  });

  test('500 tool calls in one message are 500 blocks', async () => {
    const blocks = Array.from({ length: 500 }, (_, i) => ({
      type: 'tool_use' as const,
      id: `t${i}`,
      name: 'n',
      input: { i },
    }));
    const { ask } = await setUp({ turns: [{ blocks }] });
    expect((await ask()).blocks.map((block) => (block.type === 'tool_use' ? block.input.i : -1))).toEqual(
      blocks.map((_, i) => i),
    );
  });
});

describe('thinking of newer models', () => {
  test('blocks of earlier answers are sent back unchanged, and the service accepts them', async () => {
    const { ask } = await setUp({ boundThinking: true, turns: [THINK_AND_CALL, { text: 'done' }] });
    const first = await ask();
    expect((await ask({ messages: answered([HELLO], first.blocks) })).text).toBe('done');
  });

  test('after the history changed, refused blocks are left out once and for all, with one visible retry', async () => {
    const { server, ask } = await setUp({
      boundThinking: true,
      turns: [THINK_AND_CALL, { text: 'done' }, { text: 'again' }],
    });
    const changed: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'A summary of what was before' }] }];
    const messages = answered(changed, (await ask()).blocks);
    const second = await ask({ messages });
    expect([second.events[0]?.type, second.text]).toEqual(['retry', 'done']);
    expect((await ask({ messages })).events.some((event) => event.type === 'retry')).toBe(false);
    expect(server.requests).toHaveLength(4);
  });

  test('a server that refuses the parameter gets requests without it, and is not asked in a loop', async () => {
    const { server, ask } = await setUp({ refuseThinkingParameter: true });
    expect((await ask()).text).toBe('Hello from the fixture.');
    expect((await ask()).events.some((event) => event.type === 'retry')).toBe(false);
    expect(server.requests.map(({ body }) => 'thinking' in (body as object))).toEqual([true, false, false]);
    const always = await setUp({
      turns: [{ error: { status: 400, message: 'thinking: never right' } }],
      afterLast: 'repeat',
    });
    expect((await failureOf(always.ask())).code).toBe('bad_request');
    expect(always.server.requests).toHaveLength(2);
  });
});

test('the environment cannot redirect a request, add headers or bring another key', async () => {
  const elsewhere = await setUp({});
  const before = { ...process.env };
  Object.assign(process.env, {
    ANTHROPIC_BASE_URL: elsewhere.server.url,
    ANTHROPIC_API_KEY: 'sk-ant-env',
    ANTHROPIC_AUTH_TOKEN: 'token-env',
    ANTHROPIC_CUSTOM_HEADERS: 'x-leak: 1\nauthorization: Bearer other\nx-api-key: other',
    ANTHROPIC_LOG: 'debug',
  });
  try {
    const { server, ask } = await setUp({});
    await ask();
    expect(elsewhere.server.seenKeys).toEqual([]);
    expect(server.seenKeys).toEqual([sha256(KEY)]);
    const headers = server.requests[0]?.headers ?? {};
    expect(headers).not.toHaveProperty('x-leak');
    expect(headers.authorization).toBe(`sha256:${sha256(KEY)}`);
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
});

test('a base URL with a path prefix keeps it', async () => {
  const { server, provider, request } = await setUp({}, {}, '/gateway/anthropic/');
  for await (const event of provider.stream(request())) void event;
  expect(server.requests[0]?.path).toBe('/gateway/anthropic/v1/messages');
});

const THINK_AND_CALL: ScriptedTurn = {
  blocks: [
    { type: 'thinking', thinking: 'Hm.' },
    { type: 'tool_use', id: 't1', name: 'read_file', input: {} },
  ],
};

function answered(before: readonly Message[], content: readonly AssistantBlock[]): Message[] {
  return [
    ...before,
    { role: 'assistant', content },
    { role: 'user', content: [{ type: 'tool_result', toolUseId: 't1', content: 'text', isError: false }] },
  ];
}

describe('the list of models', () => {
  const signal = new AbortController().signal;

  test('the list of models is that of the service, with prices of Steward', async () => {
    const { provider } = await setUp({ models: ['claude-sonnet-5-5', 'claude-next-7'] });
    expect(await provider.list(signal)).toEqual([
      {
        id: 'claude-sonnet-5-5',
        limits: { contextTokens: 1_000_000, maxOutputTokens: 128_000 },
        price: expect.objectContaining({ input: 2, output: 10 }),
      },
      { id: 'claude-next-7', limits: { contextTokens: 200_000, maxOutputTokens: 64_000 } },
    ]);
  });

  test('the list tells what a model that is not in the table can do', async () => {
    const row = {
      id: 'claude-next-7',
      display_name: 'Claude Next 7',
      max_input_tokens: 2_000_000,
      max_tokens: 256_000,
      capabilities: {
        image_input: { supported: true },
        pdf_input: { supported: false },
        effort: { supported: true, low: { supported: true }, high: { supported: true }, max: { supported: false } },
      },
    };
    const answer = new Response(JSON.stringify({ data: [row, { id: 'claude-1', lifecycle: 'retired' }] }));
    const { provider: asked } = await setUp({}, { fetch: async () => answer });
    const listed = await asked.list(signal);
    const capabilities = { tools: true, images: true, documents: false, efforts: ['low', 'high'] };
    expect(listed).toEqual([
      {
        id: row.id,
        name: row.display_name,
        limits: { contextTokens: 2_000_000, maxOutputTokens: 256_000 },
        capabilities,
      },
    ]);
    const { provider } = await setUp({}, { listed: (id) => listed.find((model) => model.id === id) });
    expect(provider.limits(row.id)).toEqual(listed[0]?.limits);
    expect(provider.capabilities(row.id)).toMatchObject(capabilities);
    expect(provider.limits('claude-sonnet-5-5').contextTokens).toBe(1_000_000);
  });

  test('the list needs the key, and a gateway that needs none gets none', async () => {
    const { provider } = await setUp({ validKeys: ['other'] });
    expect((await failureOf(provider.list(signal))).code).toBe('wrong_key');
    const open = await setUp({}, { needsKey: false, apiKey: async () => undefined });
    await open.ask().catch(() => undefined);
    expect(open.server.seenKeys).toEqual([]);
  });
});
