import { describe, expect, test } from 'vitest';
import { notAccepted } from '../../../src-main/models/accepted-media.ts';
import { sha256 } from '../../fixtures/scripted-service.ts';
import { failureOf, HELLO } from './asking.ts';
import { answered, IMAGE, OPENAI_KEY, openAiOn, PAPER, SOUND, TALKER } from './openai-on-fixture.ts';

describe('an answer by Chat Completions', () => {
  test('text and parallel calls arrive in order, with usage and what the cache saved', async () => {
    const blocks = [
      { type: 'text', text: 'I read both. '.repeat(10) },
      { type: 'tool_use', id: 'call_a', name: 'read_file', input: { path: 'ä.txt' } },
      { type: 'tool_use', id: 'call_b', name: 'read_file', input: { path: 'b.txt' } },
    ] as const;
    const usage = { input_tokens: 100, output_tokens: 7, cached_tokens: 60, cache_write_tokens: 30 };
    for (const bytesPerWrite of [undefined, 3]) {
      const { ask, bodies } = await openAiOn({
        turns: [{ blocks, usage, ...(bytesPerWrite ? { bytesPerWrite } : {}) }],
      });
      const answer = await ask();
      expect(answer.text).toBe(blocks[0].text);
      expect(answer.blocks).toEqual(blocks);
      expect(answer.end).toEqual({
        type: 'end',
        stopReason: 'tool_use',
        usage: { input: 10, output: 7, cacheRead: 60, cacheWrite: 30 },
      });
      expect(bodies()[0]).toMatchObject({ model: TALKER, stream: true, stream_options: { include_usage: true } });
      expect(bodies()[0]).not.toHaveProperty('tool_choice');
    }
  });

  test.each([
    ['max_tokens', { stopReason: 'max_tokens' }],
    ['refusal', { stopReason: 'refusal', stopDetails: { explanation: 'I will not.' } }],
    ['refusal', { stopReason: 'content_filter' }],
    ['end_turn', { stopReason: 'end_turn' }],
    ['end_turn', { stopReason: 'eos' }],
  ])('ends with %s', async (stopReason, turn) => {
    const { ask } = await openAiOn({ turns: [{ text: 'So far.', ...turn }] });
    const { end } = await ask();
    expect(end).toMatchObject({ stopReason });
    if ('stopDetails' in turn) expect(end).toMatchObject({ detail: 'I will not.' });
  });

  test('an input that is no JSON is kept as such', async () => {
    const rawInput = '{"path": ';
    const { ask } = await openAiOn({ turns: [{ blocks: [{ type: 'tool_use', name: 'read_file', rawInput }] }] });
    const [call] = (await ask()).blocks;
    expect(call).toMatchObject({ type: 'tool_use', input: {}, invalidInput: { raw: rawInput } });
  });

  test('only the key that was given is sent, and nothing that the environment adds', async () => {
    process.env.OPENAI_ORG_ID = 'org-from-env';
    process.env.OPENAI_API_KEY = 'sk-from-env';
    try {
      const { ask, server } = await openAiOn({});
      await ask();
      expect(server.seenKeys).toEqual([sha256(OPENAI_KEY)]);
      const names = Object.keys(server.requests[0]?.headers ?? {});
      expect(names.filter((name) => /openai|stainless/.test(name))).toEqual([]);
    } finally {
      delete process.env.OPENAI_ORG_ID;
      delete process.env.OPENAI_API_KEY;
    }
  });
});

describe('what is sent to Chat Completions', () => {
  test('results as texts, their pictures after all of them, and the words of the user last', async () => {
    const { ask, bodies } = await openAiOn({});
    await ask({ messages: answered({ media: [IMAGE, SOUND] }) });
    const sent = bodies()[0]?.messages;
    expect(sent).toMatchObject([
      { role: 'system', content: 'You are a test.' },
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: `the text\n${notAccepted(SOUND).text}` },
      {
        role: 'user',
        content: [
          { type: 'text', text: expect.stringContaining('call_1') },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } },
          { type: 'text', text: 'and now?' },
        ],
      },
    ]);
  });

  test('pictures and documents to models that see, recordings to models that hear, else a text instead', async () => {
    const messages = [{ role: 'user', content: [IMAGE, SOUND, PAPER] } as const];
    const { ask, bodies } = await openAiOn({});
    await ask({ messages });
    await ask({ messages, model: 'gpt-audio-1.5', tools: [] });
    const parts = bodies().map(({ messages: sent }) => (Array.isArray(sent) ? sent.at(-1).content : undefined));
    expect(parts).toEqual([
      [
        { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } },
        notAccepted(SOUND),
        { type: 'file', file: { filename: 'plan.pdf', file_data: 'data:application/pdf;base64,JVBERg==' } },
      ],
      [
        notAccepted(IMAGE),
        { type: 'input_audio', input_audio: { data: SOUND.data, format: 'wav' } },
        notAccepted(PAPER),
      ],
    ]);
  });

  test('limits, temperature and stop sequences where the model takes them', async () => {
    const wishes = {
      maxTokens: 50_000,
      temperature: 0.2,
      stopSequences: ['a', 'b', 'c', 'd', 'e'],
      effort: 'high',
    } as const;
    const plain = await openAiOn({});
    await plain.ask(wishes);
    expect(plain.bodies()[0]).toMatchObject({
      max_completion_tokens: 32_768,
      temperature: 0.2,
      stop: ['a', 'b', 'c', 'd'],
    });
    expect(plain.bodies()[0]).not.toHaveProperty('reasoning_effort');
    const thinking = await openAiOn({}, { api: 'chat' });
    await thinking.ask({ ...wishes, model: 'o3' });
    expect(thinking.bodies()[0]).toMatchObject({ max_completion_tokens: 50_000, reasoning_effort: 'high' });
    // With tools these models answer here only without thinking.
    await thinking.ask({ ...wishes, model: 'gpt-5.6-sol' });
    expect(thinking.bodies()[1]).toMatchObject({ reasoning_effort: 'none' });
  });

  test('ids and names that the service would refuse are made acceptable, alike in call and result', async () => {
    const { ask, bodies } = await openAiOn({});
    const id = `toolu_${'x'.repeat(58)}`;
    const call = { type: 'tool_use', id, name: 'no such/tool', input: {} } as const;
    const result = { type: 'tool_result', toolUseId: id, content: 'gone', isError: true } as const;
    await ask({ messages: [HELLO, { role: 'assistant', content: [call] }, { role: 'user', content: [result] }] });
    const sent = JSON.stringify(bodies()[0]?.messages);
    expect(sent).not.toContain(id);
    expect(sent).toContain('"no_such_tool"');
  });
});

describe('Azure', () => {
  test('is reached by deployment and version, with the key in its own header', async () => {
    for (const address of ['', '/openai', '/']) {
      const azure = { name: 'work', apiVersion: '2025-04-01-preview' };
      const { ask, server } = await openAiOn({ deployments: ['my gpt-4o'] }, azure, address);
      expect((await ask({ model: 'my gpt-4o' })).text).toBe('Hello from the fixture.');
      expect(server.requests.map(({ path }) => path)).toEqual([
        '/openai/deployments/my%20gpt-4o/chat/completions?api-version=2025-04-01-preview',
      ]);
      expect(server.seenKeys).toEqual([sha256(OPENAI_KEY)]);
      expect(server.requests[0]?.headers.authorization).toBeUndefined();
    }
  });

  test('by Responses the deployment is in the body', async () => {
    const azure = { name: 'work', apiVersion: '2025-04-01-preview' };
    const { ask, server } = await openAiOn({ deployments: ['gpt-5.4'] }, azure, '');
    await ask({ model: 'gpt-5.4' });
    expect(server.requests.map(({ path, body }) => [path, body.model])).toEqual([
      ['/openai/responses?api-version=2025-04-01-preview', 'gpt-5.4'],
    ]);
  });

  test('a deployment with a name of its own is taken to see, and moves to Responses when it asks for that', async () => {
    const asks =
      "Function tools with reasoning_effort are not supported for o9-prod in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
    const azure = { name: 'work', apiVersion: '2025-04-01-preview' };
    const turns = [{ error: { status: 400, message: asks } }, { text: 'Here.' }, { text: 'Again.' }];
    const { ask, server } = await openAiOn({ deployments: ['o9-prod'], turns }, azure, '');
    const messages = [{ role: 'user', content: [IMAGE] } as const];
    expect(await ask({ model: 'o9-prod', messages })).toMatchObject({ text: 'Here.', retries: ['bad_request'] });
    expect(await ask({ model: 'o9-prod', messages })).toMatchObject({ text: 'Again.', retries: [] });
    expect(server.requests.map(({ api }) => api)).toEqual(['chat', 'responses', 'responses']);
    expect(JSON.stringify(server.requests[2]?.body.input)).toContain('input_image');
  });

  test('a deployment that is not there, and a wrong key, are explained', async () => {
    const azure = { name: 'work', apiVersion: '2025-04-01-preview' };
    const missing = await openAiOn({ deployments: ['other'] }, azure, '');
    expect((await failureOf(missing.ask())).code).toBe('unknown_model');
    const wrong = await openAiOn({ deployments: [TALKER], validKeys: ['another'] }, azure, '');
    expect((await failureOf(wrong.ask())).code).toBe('wrong_key');
  });

  test('a prompt that its filter stops is a refusal', async () => {
    const message = "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.";
    const { ask } = await openAiOn({ turns: [{ error: { status: 400, type: '/content_filter', message } }] });
    expect((await ask()).end).toMatchObject({ stopReason: 'refusal', detail: message });
  });
});

describe('a service that speaks the format', () => {
  const groq = { name: 'groq', needsKey: false } as const;
  const MODEL = 'llama-4-scout';

  test('without a key nothing is sent in its place', async () => {
    const { ask, server } = await openAiOn({ open: true }, { ...groq, apiKey: async () => undefined });
    expect((await ask({ model: MODEL, maxTokens: 100 })).text).toBe('Hello from the fixture.');
    expect(server.seenKeys).toEqual([]);
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
    expect(server.requests[0]?.body).toMatchObject({ max_tokens: 100 });
    expect(server.requests[0]?.body).not.toHaveProperty('prompt_cache_key');
  });

  test('its thoughts are shown, and go back to it where it wants them back', async () => {
    for (const [reasoningField, signature] of [
      ['reasoning_content', 'reasoning_content'],
      ['reasoning', ''],
    ] as const) {
      const thought = { type: 'thinking', thinking: 'hm, '.repeat(20) } as const;
      const { ask, bodies } = await openAiOn(
        { reasoningField, turns: [{ blocks: [thought], text: 'Yes.' }, {}] },
        groq,
      );
      const { thinking, blocks } = await ask({ model: MODEL });
      expect(thinking).toBe(thought.thinking);
      expect(blocks).toContainEqual({ ...thought, signature });
      await ask({ model: MODEL, messages: [HELLO, { role: 'assistant', content: blocks }, HELLO] });
      const sent = JSON.stringify(bodies()[1]?.messages);
      expect(sent.includes('hm, ')).toBe(signature !== '');
    }
  });

  test('parameters that the service does not know are left out at once, and in later requests', async () => {
    const unknownParameters = ['stream_options', 'reasoning_effort', 'temperature'];
    const { ask, bodies, waits } = await openAiOn({ unknownParameters }, groq);
    const wishes = { model: 'openai/gpt-oss-120b', temperature: 0.5, effort: 'low' } as const;
    const { retries, text } = await ask(wishes);
    expect(text).toBe('Hello from the fixture.');
    expect(retries).toEqual(['bad_request', 'bad_request', 'bad_request']);
    expect(waits).toEqual([]);
    expect((await ask(wishes)).retries).toEqual([]);
    expect(Object.keys(bodies().at(-1) ?? {})).toEqual(['model', 'messages', 'tools', 'stream']);
  });

  test.each([
    ['Chat Completions', 'chat', { reasoning_effort: 'low' }],
    ['Responses', 'responses', { reasoning: { effort: 'low' } }],
  ] as const)('by %s, an effort that the person set is sent until it is refused', async (_, api, sent) => {
    const { ask, bodies } = await openAiOn({}, { ...groq, api });
    const wishes = { model: MODEL, temperature: 0.5 } as const;
    expect((await ask(wishes)).retries).toEqual([]);
    expect((await ask({ ...wishes, effort: 'low' })).retries).toEqual(['bad_request']);
    expect((await ask({ ...wishes, effort: 'low' })).retries).toEqual([]);
    const [without, first, ...later] = bodies();
    expect(first).toEqual({ ...without, ...sent });
    expect(later).toEqual([without, without]);
  });

  test('pictures are sent until the model refuses one, and then replaced by a text', async () => {
    const { ask, bodies, provider } = await openAiOn({ textOnly: true }, groq);
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'look' }, IMAGE] } as const];
    expect(provider.capabilities(MODEL).images).toBe(true);
    const { text, retries } = await ask({ model: MODEL, messages });
    expect([text, retries]).toEqual(['Hello from the fixture.', ['bad_request']]);
    expect(provider.capabilities(MODEL).images).toBe(false);
    expect(JSON.stringify(bodies().at(-1))).toContain('is left out');
  });

  test('more requests than its limit wait as long as it says', async () => {
    const limited = { error: { status: 429, type: 'tokens/rate_limit_exceeded', headers: { 'retry-after': '7' } } };
    const { ask, waits } = await openAiOn({ turns: [limited, { text: 'Now.' }] }, groq);
    expect((await ask({ model: MODEL })).retries).toEqual(['rate_limited']);
    expect(waits).toEqual([7_000]);
  });
});

describe('the list of models', () => {
  test('of OpenAI: only those that chat, newest first, with what the table knows', async () => {
    const models = [
      'gpt-4o',
      'text-embedding-3-small',
      'gpt-6.2-sol',
      'whisper-1',
      'gpt-image-2',
      'gpt-9-nova',
      'gpt-realtime-2',
    ];
    const { provider } = await openAiOn({ models });
    const listed = await provider.list(new AbortController().signal);
    expect(listed.map(({ id }) => id)).toEqual(['gpt-6.2-sol', 'gpt-4o', 'gpt-9-nova']);
    expect(listed[0]).toMatchObject({
      limits: { contextTokens: 1_050_000 },
      price: { input: 2 },
      capabilities: { images: true },
    });
    expect(listed[2]).toEqual({ id: 'gpt-9-nova' });
  });

  test('of others: with the limits, prices and inputs that they tell, which count from then on', async () => {
    const modelRows = [
      { id: 'a', context_window: 131_072, max_completion_tokens: 8_000, active: true },
      { id: 'off', active: false },
      { id: 'whisper-large-v3' },
      { id: 'llama-3.3-70b-instruct' },
      {
        id: 'b',
        name: 'B',
        context_length: 64_000,
        architecture: { input_modalities: ['text', 'image'] },
        pricing: { prompt: '0.000001', completion: '0.000002' },
        supported_parameters: ['tools'],
      },
    ];
    const { provider } = await openAiOn({ modelRows, open: true }, { name: 'router', needsKey: false });
    const listed = await provider.list(new AbortController().signal);
    expect(listed).toEqual([
      { id: 'a', limits: { contextTokens: 131_072, maxOutputTokens: 8_000 } },
      { id: 'llama-3.3-70b-instruct' },
      {
        id: 'b',
        name: 'B',
        limits: { contextTokens: 64_000 },
        capabilities: { images: true, tools: true },
        price: { input: 1, output: 2, cacheRead: 1, cacheWrite: 1 },
      },
    ]);
    const { provider: later } = await openAiOn(
      {},
      { name: 'router', needsKey: false, listed: (id) => listed.find((model) => model.id === id) },
    );
    expect(later.limits('b').contextTokens).toBe(64_000);
    expect(later.price('b')).toMatchObject({ input: 1 });
    expect(later.price('a')).toBeUndefined();
  });

  test('a wrong key, a page and silence are reported as for answers', async () => {
    const { provider } = await openAiOn({ validKeys: ['other'] });
    expect((await failureOf(provider.list(new AbortController().signal))).code).toBe('wrong_key');
    const stopped = AbortSignal.abort(new Error('enough'));
    await expect(provider.list(stopped)).rejects.toThrow('enough');
  });
});
