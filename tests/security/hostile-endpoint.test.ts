import { expect, test } from 'vitest';
import { AnthropicProvider } from '../../src-main/models/anthropic/anthropic-provider.ts';
import { GeminiProvider } from '../../src-main/models/gemini/gemini-provider.ts';
import { OllamaProvider } from '../../src-main/models/ollama/ollama-provider.ts';
import { OpenAiProvider } from '../../src-main/models/openai/openai-provider.ts';
import type { ModelProvider, ModelStreamEvent } from '../../src-main/models/provider.ts';
import { ownTimeMs } from '../fixtures/own-time.ts';

type Pieces = () => Iterator<string>;

const PLACE = {
  name: 'hostile',
  baseUrl: 'http://127.0.0.1:9/v1',
  needsKey: true,
  apiKey: async () => 'sk-ant-api03-fixture',
};

/** A service whose every answer consists of these pieces, as fast as they are read. */
function answering(pieces: Pieces): typeof fetch {
  return async (url, init) => {
    // What Ollama says of a model.
    if (String(url).endsWith('/api/show')) return Response.json({ capabilities: ['tools'] });
    const iterator = pieces();
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (init?.signal?.aborted === true) return controller.error(init.signal.reason);
          const { done, value } = iterator.next();
          if (done === true) controller.close();
          else controller.enqueue(encoder.encode(value));
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
}

const PROVIDERS: readonly [string, string, (fetch: typeof globalThis.fetch) => ModelProvider][] = [
  ['Claude', 'claude-sonnet-5-5', (fetch) => new AnthropicProvider({ ...PLACE, fetch })],
  ['Chat Completions', 'other', (fetch) => new OpenAiProvider({ ...PLACE, fetch, api: 'chat' })],
  ['Responses', 'gpt-5.4', (fetch) => new OpenAiProvider({ ...PLACE, fetch, api: 'responses' })],
  ['Gemini', 'gemini-2.5-flash', (fetch) => new GeminiProvider({ ...PLACE, fetch })],
];

async function answerOf(provider: ModelProvider, model: string, signal: AbortSignal) {
  const events: ModelStreamEvent[] = [];
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] as const;
  for await (const event of provider.stream({ model, system: '', messages, tools: [], signal })) events.push(event);
  return events;
}

function* forever(text: string): Generator<string> {
  for (;;) yield text;
}

test.each(PROVIDERS)('%s: Stop ends a flood of comments within a second', async (_, model, providerWith) => {
  const stop = new AbortController();
  let stoppedAt = 0;
  const flood = () => {
    setTimeout(() => {
      stoppedAt = ownTimeMs();
      stop.abort(new Error('stopped'));
    }, 20);
    return forever(': ping\n\n'.repeat(5_000));
  };
  const provider = providerWith(answering(flood));
  await expect(answerOf(provider, model, stop.signal)).rejects.toThrow('stopped');
  expect(ownTimeMs() - stoppedAt).toBeLessThan(1_000);
});

test.each(PROVIDERS)(
  '%s: an endless line is cut off long before the limit of the whole answer',
  async (_, model, providerWith) => {
    let sent = 0;
    const line = function* () {
      yield 'data: {"x":"';
      for (const piece of forever('x'.repeat(65_536))) {
        sent += piece.length;
        yield piece;
      }
    };
    const answer = answerOf(providerWith(answering(line)), model, new AbortController().signal);
    await expect(answer).rejects.toMatchObject({ code: 'answer_too_large' });
    expect(sent).toBeLessThan(17 * 1024 * 1024);
  },
);

const ollamaWith = (call: object, counts: object = {}, times = 1) =>
  new OllamaProvider({
    ...PLACE,
    needsKey: false,
    fetch: answering(function* () {
      yield `${JSON.stringify({ message: { role: 'assistant', content: '', tool_calls: Array(times).fill({ function: call }) } })}\n`;
      yield `${JSON.stringify({ message: { role: 'assistant', content: '' }, done: true, ...counts })}\n`;
    }),
  });

test('arguments that come as a value have the limits of those that come as text', async () => {
  const call = { name: 'read_file', arguments: { path: 'x'.repeat(1_048_576) } };
  const events = await answerOf(ollamaWith(call), 'm', new AbortController().signal);
  expect(events.find(({ type }) => type === 'block')).toMatchObject({
    block: { name: 'read_file', input: {}, invalidInput: { reason: expect.stringContaining('longer than 1,048,576') } },
  });
});

test('a message with thousands of calls ends the answer', async () => {
  const { signal } = new AbortController();
  const call = { name: 'get_time', arguments: {} };
  expect(await answerOf(ollamaWith(call, {}, 500), 'm', signal)).toHaveLength(501);
  await expect(answerOf(ollamaWith(call, {}, 501), 'm', signal)).rejects.toMatchObject({ code: 'bad_answer' });
});

test('a tool call with an endless name ends the answer; counts of tokens that cannot be are bounded', async () => {
  const { signal } = new AbortController();
  const named = (name: string) => ({ name, arguments: {} });
  await expect(answerOf(ollamaWith(named('x'.repeat(257))), 'm', signal)).rejects.toMatchObject({ code: 'bad_answer' });
  const counts = { prompt_eval_count: 1e308, eval_count: -1.5 };
  const events = await answerOf(ollamaWith(named('x'), counts), 'm', signal);
  expect(events.at(-1)).toMatchObject({ usage: { input: 1_000_000_000, output: 0 } });
  const half = await answerOf(ollamaWith(named('x'), { prompt_eval_count: 1.5 }), 'm', signal);
  expect(half.at(-1)).toMatchObject({ usage: { input: 1 } });
});
