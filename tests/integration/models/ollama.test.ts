import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src-main/models/messages.ts';
import { OllamaProvider } from '../../../src-main/models/ollama/ollama-provider.ts';
import type { ModelStreamEvent } from '../../../src-main/models/provider.ts';
import type { AssistantBlock } from '../../../src-preload/contract/content-blocks.ts';
import { QWEN } from '../../fixtures/ollama/server.ts';
import { startVendorServer } from '../../fixtures/vendor-server.ts';
import { asking, failureOf, HELLO } from './asking.ts';
import { ollamaWith } from './ollama-on-fixture.ts';

const { signal } = new AbortController();
const ok = (times: number) => Array.from({ length: times }, () => ({ text: 'ok' }));

describe('an answer', () => {
  test('thinking, text and calls arrive as they are written, then as blocks, then the end with its usage', async () => {
    const calls = [{ id: 'call_a1', name: 'read_file', input: { path: 'a' } }, { name: 'read_file' }];
    const { ask } = await ollamaWith({
      turns: [{ thinking: 'Überlegen …', text: 'Zwei Dateien.', calls, bytesPerWrite: 1 }],
    });
    const { blocks, text, thinking, end } = await ask();
    expect([thinking, text]).toEqual(['Überlegen …', 'Zwei Dateien.']);
    expect(blocks).toEqual([
      { type: 'thinking', thinking, signature: '' },
      { type: 'text', text },
      { type: 'tool_use', id: 'call_a1', name: 'read_file', input: { path: 'a' } },
      { type: 'tool_use', id: expect.stringMatching(/^call_[\w-]{36}$/), name: 'read_file', input: {} },
    ]);
    const usage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 };
    expect(end).toEqual({ type: 'end', stopReason: 'tool_use', usage });
  });

  test('input of a call that is no JSON is told as that', async () => {
    const { ask } = await ollamaWith({ turns: [{ calls: [{ name: 'read_file', input: '{"a":' }] }] });
    expect((await ask()).blocks[0]).toMatchObject({ input: {}, invalidInput: { raw: '{"a":' } });
  });

  test('the limit of the answer and the end of the context window are told apart', async () => {
    const cut = (output: number) => ({ text: 'cut', doneReason: 'length', usage: { prompt: 30_000, output } });
    const { ask } = await ollamaWith({ turns: [cut(2_767), cut(2_768)] });
    expect((await ask({ maxTokens: 2_767 })).end).toMatchObject({ stopReason: 'max_tokens' });
    expect((await ask()).end).toMatchObject({ stopReason: 'model_context_window_exceeded' });
  });
});

describe('a request', () => {
  const used: AssistantBlock = { type: 'tool_use', id: 'x', name: 'read_file', input: { path: 'a' } };
  const image = { type: 'image', mediaType: 'image/png', data: 'aGk=' } as const;
  const result = { type: 'tool_result', toolUseId: 'x', content: 'text of a', isError: false } as const;
  const history: Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'Look' }, image] },
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'So.', signature: '' }, used] },
    { role: 'user', content: [{ ...result, media: [image] }] },
  ];

  test('calls go back with their thinking, results by the name of the tool, pictures where templates have a place', async () => {
    const { ask, chats } = await ollamaWith({ turns: ok(1) });
    await ask({ messages: history, maxTokens: 9, temperature: 0.2, stopSequences: ['STOP'] });
    expect(chats()[0]).toEqual({
      model: 'qwen3:8b',
      messages: [
        { role: 'system', content: 'You are a test.' },
        { role: 'user', content: 'Look', images: ['aGk='] },
        {
          role: 'assistant',
          content: '',
          thinking: 'So.',
          tool_calls: [{ id: 'x', function: { name: 'read_file', arguments: { path: 'a' } } }],
        },
        { role: 'tool', content: 'text of a', tool_name: 'read_file', tool_call_id: 'x' },
        { role: 'user', content: '[The pictures of the results above]', images: ['aGk='] },
      ],
      tools: [expect.objectContaining({ type: 'function' })],
      think: true,
      options: { num_ctx: 32_768, num_predict: 9, temperature: 0.2, stop: ['STOP'] },
      stream: true,
      truncate: false,
      shift: false,
    });
  });

  test('a model that only writes is given neither tools nor pictures, is told what happened, and this is said', async () => {
    const { ask, chats } = await ollamaWith({ turns: ok(1), models: { 'gemma3:1b': {} } });
    const { events, text } = await ask({ model: 'gemma3:1b', messages: history, effort: 'high' });
    expect(text).toBe('ok');
    expect(events[0]).toEqual({ type: 'left_out', reason: 'no_tool_support', names: ['read_file'] });
    const [{ messages = [], ...body } = {}] = chats();
    expect(body).not.toHaveProperty('tools');
    expect(body).not.toHaveProperty('think');
    expect(JSON.stringify(messages)).not.toContain('images');
    expect(messages.slice(2)).toEqual([
      { role: 'assistant', content: '[Called read_file with {"path":"a"}]', thinking: 'So.' },
      { role: 'user', content: expect.stringMatching(/^\[Result of read_file\]\ntext of a\n.*left out/) },
    ]);
  });

  test('an Ollama that does not say what a model can do is asked again without what it refuses, once', async () => {
    const { ask, chats, server } = await ollamaWith({ turns: ok(2), models: { old: {} }, isOld: true });
    const { events, text } = await ask({ model: 'old' });
    expect(text).toBe('ok');
    expect(events.map(({ type }) => type)).toEqual(['retry', 'left_out', 'text', 'block', 'end']);
    expect((await ask({ model: 'old' })).events[0]?.type).toBe('left_out');
    expect(chats().map(({ tools }) => tools !== undefined)).toEqual([true, false, false]);
    expect(server.shown).toEqual(['old']);
  });

  test.each([
    ['qwen3', undefined, true],
    ['qwen3', 'none', false],
    ['qwen3', 'low', true],
    ['gptoss', undefined, 'medium'],
    ['gptoss', 'none', 'low'],
    ['gptoss', 'max', 'high'],
  ] as const)('%s with effort %s: think %o', async (family, effort, think) => {
    const models = { m: { ...QWEN['qwen3:8b'], family } };
    const { ask, chats } = await ollamaWith({ turns: ok(1), models });
    await ask({ model: 'm', ...(effort === undefined ? {} : { effort }) });
    expect(chats()[0]?.think).toBe(think);
  });
});

describe('the context window', () => {
  const models = {
    plain: { contextLength: 131_072 },
    small: { contextLength: 8_192 },
    own: { contextLength: 131_072, parameters: 'stop "x"\nnum_ctx                        16384\ntemperature 1' },
    cloud: { contextLength: 262_144, remoteHost: 'https://ollama.com:443' },
  };

  test.each([
    ['plain', undefined, 32_768],
    ['small', undefined, 8_192],
    ['own', undefined, 16_384],
    ['cloud', undefined, 262_144],
    ['plain', 65_536, 65_536],
    ['small', 65_536, 8_192],
    ['own', 4_096, 4_096],
  ] as const)(
    '%s with contextTokens %s is started with %d, and the app knows it',
    async (model, contextTokens, size) => {
      const options = contextTokens === undefined ? {} : { contextTokens };
      const { ask, provider, chats } = await ollamaWith({ turns: ok(1), models }, options);
      await ask({ model });
      expect(chats()[0]?.options.num_ctx).toBe(size);
      expect(provider.limits(model).contextTokens).toBe(size);
    },
  );

  test('a conversation that does not fit is an error that leads to a summary, instead of losing its beginning', async () => {
    const { ask } = await ollamaWith({ turns: ok(1), models });
    const text = 'x'.repeat(40_000);
    const failed = await failureOf(
      ask({ model: 'small', messages: [{ role: 'user', content: [{ type: 'text', text }] }] }),
    );
    expect(failed.code).toBe('context_too_long');
  });
});

describe('failures', () => {
  test('Ollama is not running: said at once, with how to start it', async () => {
    const { server, provider, waits } = await ollamaWith({});
    await server.close();
    const failed = await failureOf(asking(provider, { model: 'qwen3:8b' })());
    expect([failed.code, failed.message]).toEqual(['offline', expect.stringContaining('ollama serve')]);
    expect(waits).toEqual([]);
    expect((await failureOf(provider.list(signal))).code).toBe('offline');
  });

  test('a model that is not pulled: said with how to get it', async () => {
    const { ask } = await ollamaWith({});
    const failed = await failureOf(ask({ model: 'llama9' }));
    expect([failed.code, failed.message]).toEqual(['unknown_model', expect.stringContaining('ollama pull llama9')]);
  });

  test('something else listens there', async () => {
    const { url } = await startVendorServer(() => ({ status: 404, body: '<h1>Not Found</h1>' }));
    const provider = new OllamaProvider({
      name: 'ollama',
      apiKey: async () => undefined,
      needsKey: false,
      baseUrl: url,
    });
    expect((await failureOf(provider.list(signal))).code).toBe('bad_request');
  });

  test('too little memory is not tried again', async () => {
    const error = { status: 500, error: 'model requires more system memory (11.1 GiB) than is available (7.2 GiB)' };
    const { ask, server } = await ollamaWith({ turns: [{ error }] });
    const failed = await failureOf(ask());
    expect([failed.code, failed.message]).toEqual(['server_error', expect.stringMatching(/contextTokens.*11\.1 GiB/)]);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    { error: { status: 503, error: 'server busy, please try again. maximum pending requests exceeded' } },
    { errorLine: { after: 0, error: 'llama runner process has terminated: exit status 2' } },
    { dropAfterEvents: 0 },
    { endAfterEvents: 0 },
    { brokenAfter: { events: 0, text: '{"message":{"cont' } },
  ])('%o: tried again, as nothing was given out', async (accident) => {
    const { ask } = await ollamaWith({ turns: [{ text: 'lost', ...accident }, { text: 'whole' }] });
    const { events, text } = await ask();
    expect([events[0]?.type, text]).toEqual(['retry', 'whole']);
  });

  test.each([
    [{ errorLine: { after: 1, error: 'boom' } }, 'server_error'],
    [{ dropAfterEvents: 1 }, 'stream_broken'],
    [{ endAfterEvents: 1 }, 'stream_broken'],
    [{ brokenAfter: { events: 1, text: '<html>\n' } }, 'bad_answer'],
  ] as const)('%o after a part of the answer: %s, and the part is kept', async (accident, code) => {
    const { ask } = await ollamaWith({ turns: [{ text: 'half of it', ...accident }] });
    const events: ModelStreamEvent[] = [];
    expect((await failureOf(ask({}, events))).code).toBe(code);
    expect(events[0]).toEqual({ type: 'text', text: 'half o' });
  });

  test('silence, Stop, and a consumer that no longer reads end the request', async () => {
    const turns = Array.from({ length: 3 }, () => ({ text: 'a long answer', stallAfterEvents: 1 }));
    const { server, provider, ask } = await ollamaWith({ turns }, { idleMs: 600 });
    expect((await failureOf(ask())).code).toBe('no_answer');
    await expect.poll(server.hungUp).toBe(1);
    const stop = new AbortController();
    const events: ModelStreamEvent[] = [];
    const stopped = ask({ signal: stop.signal }, events).catch((error: unknown) => error);
    await expect.poll(() => events.length).toBe(1);
    stop.abort(new Error('stopped by the test'));
    expect(await stopped).toEqual(new Error('stopped by the test'));
    await expect.poll(server.hungUp).toBe(2);
    for await (const _ of provider.stream({ model: 'qwen3:8b', system: '', messages: [HELLO], tools: [], signal }))
      break;
    await expect.poll(server.hungUp).toBe(3);
  });
});

test('the list has what each model can do and the window it is started with; models that only embed are left out', async () => {
  const models = {
    ...QWEN,
    'nomic-embed': { capabilities: ['embedding'] },
    'gpt-oss:20b': { capabilities: ['completion', 'tools', 'thinking'], family: 'gptoss', contextLength: 131_072 },
  };
  const { provider } = await ollamaWith({ models });
  expect(provider.capabilities('qwen3:8b')).toMatchObject({ isAssumed: true, tools: true });
  expect(await provider.list(signal)).toEqual([
    {
      id: 'qwen3:8b',
      limits: { contextTokens: 32_768, maxOutputTokens: 32_768 },
      capabilities: {
        tools: true,
        images: true,
        audio: false,
        documents: false,
        deferredTools: false,
        efforts: ['none', 'high'],
      },
    },
    expect.objectContaining({
      id: 'gpt-oss:20b',
      capabilities: expect.objectContaining({ efforts: ['low', 'medium', 'high'] }),
    }),
  ]);
  expect(provider.capabilities('qwen3:8b')).not.toHaveProperty('isAssumed');
});

test('a key goes only where one was given', async () => {
  const { ask, server } = await ollamaWith({ turns: ok(1) });
  await ask();
  expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  const behindGateway = await ollamaWith({ turns: ok(1) }, { apiKey: async () => 'secret-of-the-gateway' });
  await behindGateway.ask();
  expect(behindGateway.server.requests[0]?.headers.authorization).toBe('Bearer secret-of-the-gateway');
});
