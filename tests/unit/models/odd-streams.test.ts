import { describe, expect, test } from 'vitest';
import { AnthropicProvider } from '../../../src-main/models/anthropic/anthropic-provider.ts';
import { GeminiProvider } from '../../../src-main/models/gemini/gemini-provider.ts';
import { OpenAiProvider } from '../../../src-main/models/openai/openai-provider.ts';
import { ModelError, type ModelProvider, type ModelStreamEvent } from '../../../src-main/models/provider.ts';

interface Answer {
  readonly body: string;
  readonly type?: string;
}

const SSE = 'text/event-stream';
const JSON_TYPE = 'application/json';
const sse = (...chunks: readonly object[]): Answer => ({
  body: chunks
    .map((chunk) => `${'type' in chunk ? `event: ${chunk.type}\n` : ''}data: ${JSON.stringify(chunk)}\n\n`)
    .join(''),
});
const json = (value: unknown): Answer => ({ body: JSON.stringify(value), type: JSON_TYPE });

type Make = (fetch: typeof globalThis.fetch) => readonly [provider: ModelProvider, model: string];
const quick = { maxRetries: 1, sleep: async () => undefined, baseUrl: 'https://service.example/v1' };
const openAi =
  (model: string, needsKey = true): Make =>
  (fetch) => [new OpenAiProvider({ ...quick, name: 'house', apiKey: async () => 'k', needsKey, fetch }), model];
const chat = openAi('gpt-4.1');
const compatible = openAi('house-large', false);
const responses = openAi('gpt-6.2-sol');
const claude: Make = (fetch) => [
  new AnthropicProvider({ ...quick, apiKey: async () => 'k', fetch }),
  'claude-sonnet-5-5',
];
const gemini: Make = (fetch) => [
  new GeminiProvider({ ...quick, name: 'gemini', apiKey: async () => 'k', needsKey: true, fetch }),
  'gemini-3.8-flash',
];

/** What comes of an answer that is given to each request. */
async function asked(make: Make, { body, type = SSE }: Answer) {
  let requests = 0;
  const [provider, model] = make(async () => {
    requests++;
    return new Response(body, { headers: { 'content-type': type } });
  });
  const events: ModelStreamEvent[] = [];
  const request = { model, system: '', tools: [], signal: new AbortController().signal };
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] as const;
  const error = await (async () => {
    for await (const event of provider.stream({ ...request, messages })) events.push(event);
  })().catch((thrown: unknown) => thrown);
  return {
    requests,
    calls: events.flatMap((event) => (event.type === 'block' && event.block.type === 'tool_use' ? [event.block] : [])),
    text: events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join(''),
    end: events.find((event) => event.type === 'end'),
    code: error instanceof ModelError ? error.code : error,
    message: error instanceof ModelError ? error.message : '',
  };
}

const delta = (content: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: content, finish_reason }],
});
const call = (fields: object) => delta({ tool_calls: [{ index: 0, id: 'a', ...fields }] });
const claudeCall = (stop_reason: string): Answer =>
  sse(
    { type: 'message_start', message: { usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 't', input: {} } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  );
const responsesCall = (status: 'completed' | 'incomplete'): Answer =>
  sse(
    {
      type: 'response.output_item.done',
      item: { type: 'function_call', call_id: 'a', name: 't', arguments: '', status },
    },
    {
      type: `response.${status}`,
      response: { status, incomplete_details: { reason: 'max_output_tokens' }, usage: { output_tokens: 2 } },
    },
  );

describe('a call without input', () => {
  const chatCall = (finish: string) => sse(call({ function: { name: 't', arguments: '' } }), delta({}, finish));
  test.each<[string, Make, Answer]>([
    ['Chat Completions', chat, chatCall('tool_calls')],
    ['Responses', responses, responsesCall('completed')],
    ['Claude', claude, claudeCall('tool_use')],
  ])('has none where the answer is whole: %s', async (_, make, answer) => {
    const { calls, end } = await asked(make, answer);
    expect(calls).toEqual([{ type: 'tool_use', id: 'a', name: 't', input: {} }]);
    expect(end).toMatchObject({ stopReason: 'tool_use' });
  });

  test.each<[string, Make, Answer]>([
    ['Chat Completions', chat, chatCall('length')],
    ['Responses', responses, responsesCall('incomplete')],
    ['Claude', claude, claudeCall('max_tokens')],
  ])('is not run where the answer was cut off: %s', async (_, make, answer) => {
    const { calls, end } = await asked(make, answer);
    expect(calls).toEqual([expect.objectContaining({ invalidInput: expect.objectContaining({ raw: '' }) })]);
    expect(end).toMatchObject({ stopReason: 'max_tokens' });
  });
});

test('only the last call of an answer that was cut off may lack its input', async () => {
  const two = [0, 1].map((index) => ({ index, id: `c${index}`, function: { name: 't', arguments: '' } }));
  const { calls } = await asked(chat, sse(delta({ tool_calls: two }), delta({}, 'length')));
  expect(calls.map(({ invalidInput }) => invalidInput !== undefined)).toEqual([false, true]);
});

test('calls that a gateway ends after all of them began stay in their order', async () => {
  const begun = (index: number, id: string) => ({
    type: 'content_block_start',
    index,
    content_block: { type: 'tool_use', id, name: 't', input: {} },
  });
  const ended = [0, 1].map((index) => ({ type: 'content_block_stop', index }));
  const rest = [{ type: 'message_delta', delta: { stop_reason: 'tool_use' } }, { type: 'message_stop' }];
  const { calls } = await asked(claude, sse(begun(0, 'a'), begun(1, 'b'), ...ended, ...rest));
  expect(calls.map(({ id }) => id)).toEqual(['a', 'b']);
});

test('the input of a call may come as an object instead of its text', async () => {
  const { calls } = await asked(
    compatible,
    sse(call({ function: { name: 't', arguments: { x: 1 } } }), delta({}, 'tool_calls')),
  );
  expect(calls).toEqual([{ type: 'tool_use', id: 'a', name: 't', input: { x: 1 } }]);
});

describe('HTTP 200 with JSON instead of a stream', () => {
  const overloaded = { code: 503, message: 'Too many.', status: 'UNAVAILABLE' };
  test.each<[string, Make, unknown]>([
    ['Chat Completions', compatible, { error: overloaded }],
    ['Responses', responses, { error: { code: 'server_is_overloaded', message: 'Too many.' } }],
    ['Claude', claude, { type: 'error', error: { type: 'overloaded_error', message: 'Too many.' } }],
    ['Gemini', gemini, [{ error: overloaded }]],
  ])('is the error that it says: %s', async (_, make, body) => {
    const { code, message, requests } = await asked(make, json(body));
    expect({ code, requests }).toEqual({ code: 'overloaded', requests: 2 });
    expect(message).toContain('Too many.');
  });

  test('of a service that says no more than a text', async () => {
    const { code, message } = await asked(compatible, json({ error: 'no model is loaded' }));
    expect(code).toBe('bad_request');
    expect(message).toContain('no model is loaded');
  });

  const claudeMessage = {
    type: 'message',
    role: 'assistant',
    usage: { input_tokens: 3, output_tokens: 4 },
    stop_reason: 'tool_use',
    content: [
      { type: 'text', text: 'Hello' },
      { type: 'tool_use', id: 'a', name: 't', input: { x: [1, null] } },
    ],
  };
  const completion = {
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: 'Hello',
          refusal: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 't', arguments: '{"x":[1,null]}' } }],
        },
      },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 4 },
  };
  const response = {
    object: 'response',
    status: 'completed',
    usage: { input_tokens: 3, output_tokens: 4 },
    output: [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] },
      { type: 'function_call', call_id: 'a', name: 't', arguments: '{"x":[1,null]}', status: 'completed' },
    ],
  };
  const geminiAnswer = {
    candidates: [
      {
        content: { parts: [{ text: 'Hello' }, { functionCall: { id: 'a', name: 't', args: { x: [1, null] } } }] },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4 },
  };
  test.each<[string, Make, unknown]>([
    ['Chat Completions', compatible, completion],
    ['Responses', responses, response],
    ['Claude', claude, claudeMessage],
    ['Gemini', gemini, geminiAnswer],
    [
      'Gemini, as a list of pieces',
      gemini,
      [{ candidates: [{ content: { parts: [{ text: 'Hel' }] } }] }, geminiAnswer],
    ],
  ])('is taken as the answer that it is: %s', async (_, make, body) => {
    const { code, text, calls, end, requests } = await asked(make, json(body));
    expect({ code, requests }).toEqual({ code: undefined, requests: 1 });
    expect(text).toMatch(/^(Hel)?Hello$/);
    expect(calls).toMatchObject([{ id: 'a', name: 't', input: { x: [1, null] } }]);
    expect(end).toMatchObject({ stopReason: 'tool_use', usage: { input: 3, output: 4 } });
  });

  test.each<[string, Make]>([
    ['Chat Completions', compatible],
    ['Responses', responses],
    ['Claude', claude],
    ['Gemini', gemini],
  ])('that is no answer is an error, once: %s', async (_, make) => {
    for (const body of [{ status: 'ok' }, [], { choices: [], output: null, content: [], candidates: null }])
      expect(await asked(make, json(body))).toMatchObject({ code: 'bad_answer', requests: 1 });
  });
});

test.each([
  [502, 'server_error'],
  [503, 'overloaded'],
  [429, 'rate_limited'],
])('an error in the stream that states the status %d is told by it', async (code, expected) => {
  const failed = await asked(compatible, sse({ error: { message: 'Provider returned error', code } }));
  expect({ code: failed.code, requests: failed.requests }).toEqual({ code: expected, requests: 2 });
});

test.each<[string, Make, Answer]>([
  ['Chat Completions', chat, sse(delta({ content: 'hi' }, 'stop'))],
  ['Responses', responses, responsesCall('completed')],
  ['Claude', claude, claudeCall('tool_use')],
  ['Gemini', gemini, sse({ candidates: [{ content: { parts: [{ text: 'hi' }] }, finishReason: 'STOP' }] })],
])('the last event may lack its blank line: %s', async (_, make, { body }) => {
  for (const cut of [1, 2]) {
    const { code, end, requests } = await asked(make, { body: body.slice(0, -cut) });
    expect({ code, requests, hasEnded: end !== undefined }).toEqual({ code: undefined, requests: 1, hasEnded: true });
  }
});

test('comments, CRLF, a usage after the end and no [DONE] change nothing', async () => {
  const { body } = sse(delta({ content: 'hi' }), delta({}, 'stop'), {
    choices: [],
    usage: { prompt_tokens: 10, completion_tokens: 3 },
  });
  const { end } = await asked(chat, { body: `: PROCESSING\n\n: ping\n\n${body}`.replaceAll('\n', '\r\n') });
  expect(end).toMatchObject({ stopReason: 'end_turn', usage: { input: 10, output: 3 } });
});
