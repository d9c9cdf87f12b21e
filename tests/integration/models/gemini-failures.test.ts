import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ModelStreamEvent } from '../../../src-main/models/provider.ts';
import { sha256 } from '../../fixtures/scripted-service.ts';
import { failureOf } from './asking.ts';
import { bodyOf, GEMINI_KEY, geminiWith } from './gemini-on-fixture.ts';

const RETRY_INFO = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7.5s' };
const quota = (quotaId: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaMetric: 'generate_content_free_tier_requests', quotaId }],
});

describe('errors of the service', () => {
  test.each([
    [{ status: 401 }, 'wrong_key'],
    [{ status: 403 }, 'no_permission'],
    [
      { status: 400, code: 'FAILED_PRECONDITION', message: 'User location is not supported for the API use.' },
      'no_permission',
    ],
    [{ status: 400, code: 'FAILED_PRECONDITION', message: 'Please enable billing on your project.' }, 'no_credit'],
    [{ status: 429, message: 'Your prepayment credits are depleted.' }, 'no_credit'],
    [
      {
        status: 400,
        message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      },
      'context_too_long',
    ],
    [{ status: 400, message: 'Request payload size exceeds the limit: 20971520 bytes.' }, 'request_too_large'],
    [{ status: 400, message: 'Something else.' }, 'bad_request'],
  ] as const)('%o is %s, with the words of the service and without another try', async (error, code) => {
    const { ask, server } = await geminiWith({ turns: [{ error }] });
    const failed = await failureOf(ask());
    expect(failed.code).toBe(code);
    if ('message' in error) expect(failed.message).toContain(error.message);
    expect(server.requests).toHaveLength(1);
  });

  test('a key that it does not know is named as that, and never quoted', async () => {
    const { ask } = await geminiWith({ validKeys: ['another'] });
    const failed = await failureOf(ask());
    expect(failed.code).toBe('wrong_key');
    expect(failed.message).toContain('API key not valid');
    expect(failed.message).not.toContain(GEMINI_KEY);
  });

  test('an unknown model is named', async () => {
    const { ask } = await geminiWith({ models: [{ name: 'models/gemini-4-argon' }] });
    const failed = await failureOf(ask({ model: 'gemini-5' }));
    expect([failed.code, failed.message]).toEqual(['unknown_model', expect.stringContaining('"gemini-5"')]);
  });

  test('the wait that the details state is kept', async () => {
    const error = { status: 429, details: [quota('GenerateRequestsPerMinutePerProjectPerModel'), RETRY_INFO] };
    const { ask, waits } = await geminiWith({ turns: [{ error }, { text: 'ok' }] });
    const { events, text } = await ask();
    expect([text, waits]).toEqual(['ok', [7_500]]);
    expect(events[0]).toMatchObject({ type: 'retry', error: { code: 'rate_limited' } });
  });

  test('a quota of the day is not asked for again', async () => {
    const error = { status: 429, details: [quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier'), RETRY_INFO] };
    const { ask, server } = await geminiWith({ turns: [{ error }] });
    expect((await failureOf(ask())).code).toBe('rate_limited');
    expect(server.requests).toHaveLength(1);
  });

  test.each([500, 503, 504])('HTTP %d is tried again, visibly, until it works', async (status) => {
    const { ask, waits } = await geminiWith({
      turns: [{ error: { status } }, { error: { status } }, { text: 'At last' }],
    });
    expect((await ask()).text).toBe('At last');
    expect(waits).toEqual([438, 875]);
  });

  test('the page of a proxy is quoted without its markup', async () => {
    const rawBody = '<html><head><title>x</title></head><body><h1>Bad <b>gateway</b></h1></body></html>';
    const { ask } = await geminiWith({
      turns: [{ error: { status: 418, rawBody, headers: { 'content-type': 'text/html' } } }],
    });
    expect((await failureOf(ask())).message).toMatch(/Bad gateway$/);
  });
});

describe('a broken stream', () => {
  test.each([
    { dropAfterEvents: 0 },
    { endAfterEvents: 0 },
    { brokenAfter: { events: 0, text: 'data: {"candidates":[{"con' } },
    { errorChunk: { after: 0, status: 503, message: 'The model is overloaded.' } },
  ])('%o: tried again, as nothing was given out', async (accident) => {
    const { ask } = await geminiWith({ turns: [{ text: 'lost in transit', ...accident }, { text: 'whole' }] });
    const { events, text } = await ask();
    expect([events[0]?.type, text]).toEqual(['retry', 'whole']);
  });

  test.each([
    [{ dropAfterEvents: 1 }, 'stream_broken'],
    [{ endAfterEvents: 1 }, 'stream_broken'],
    [{ finishReason: null }, 'stream_broken'],
    [{ errorChunk: { after: 1, status: 503, message: 'The model is overloaded.' } }, 'overloaded'],
  ] as const)('%o after a part of the answer: %s, and the part is kept', async (accident, code) => {
    const { ask } = await geminiWith({ turns: [{ text: 'half of an answer', ...accident }] });
    const events: ModelStreamEvent[] = [];
    expect((await failureOf(ask({}, events))).code).toBe(code);
    expect(events[0]).toEqual({ type: 'text', text: 'half of an a' });
  });

  test('silence ends the request', async () => {
    const { ask, server } = await geminiWith(
      { turns: [{ text: 'long enough', stallAfterEvents: 1 }] },
      { idleMs: 600 },
    );
    expect((await failureOf(ask())).code).toBe('no_answer');
    await expect.poll(server.hungUp).toBe(1);
  });

  test('Stop ends it at once, and so does a consumer that no longer reads', async () => {
    const { ask, provider, server } = await geminiWith({
      turns: [
        { text: 'a long answer', stallAfterEvents: 1 },
        { text: 'a long answer', stallAfterEvents: 1 },
      ],
    });
    const stop = new AbortController();
    const events: ModelStreamEvent[] = [];
    const stopped = ask({ signal: stop.signal }, events).catch((error: unknown) => error);
    await expect.poll(() => events.length).toBe(1);
    stop.abort(new Error('stopped by the test'));
    expect(await stopped).toEqual(new Error('stopped by the test'));
    await expect.poll(server.hungUp).toBe(1);
    const request = {
      model: 'gemini-3.8-flash',
      system: '',
      messages: [],
      tools: [],
      signal: new AbortController().signal,
    };
    const content = [{ type: 'text', text: 'Hello' }] as const;
    for await (const _ of provider.stream({ ...request, messages: [{ role: 'user', content }] })) break;
    await expect.poll(server.hungUp).toBe(2);
  });
});

describe('a tool that the service refuses', () => {
  const tool = (
    name: string,
    inputSchema: Record<string, unknown> = { type: 'object', properties: { a: { type: 'string' } } },
  ) => ({
    name,
    description: 'Does it.',
    inputSchema,
  });

  test('is left out of the request, said before the answer, and known from then on until it changes', async () => {
    const { ask, server } = await geminiWith({
      turns: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
      refusedFunctions: ['bad', 'worse'],
    });
    const tools = [tool('good'), tool('bad'), tool('fine'), tool('worse')];
    const { events, text } = await ask({ tools });
    expect(events.slice(0, 2)).toMatchObject([
      { type: 'retry', waitMs: 0, error: { code: 'bad_request' } },
      { type: 'left_out', reason: 'refused', names: ['bad', 'worse'] },
    ]);
    expect(text).toBe('one');
    const again = await ask({ tools });
    expect(again.events[0]).toEqual({ type: 'left_out', reason: 'refused', names: ['bad', 'worse'] });
    expect(server.requests).toHaveLength(3);
    expect(bodyOf(server, 2).tools?.[0]?.functionDeclarations.map(({ name }) => name)).toEqual(['good', 'fine']);
    const changed = [tool('good'), tool('bad', { type: 'object', properties: { b: { type: 'string' } } })];
    await ask({ tools: changed });
    expect(server.requests).toHaveLength(5);
  });

  test('if it was the only one, the request has none', async () => {
    const { ask, server } = await geminiWith({ turns: [{ text: 'ok' }], refusedFunctions: ['bad'] });
    expect((await ask({ tools: [tool('bad')] })).text).toBe('ok');
    expect(bodyOf(server, 1)).not.toHaveProperty('tools');
  });
});

describe('where requests go', () => {
  afterEach(() => vi.unstubAllEnvs());

  test('neither the environment nor another key changes it', async () => {
    const elsewhere = await geminiWith({ turns: [] });
    vi.stubEnv('GOOGLE_API_KEY', 'AIzaFromTheEnvironment');
    vi.stubEnv('GEMINI_API_KEY', 'AIzaAlsoFromTheEnvironment');
    vi.stubEnv('GOOGLE_GENAI_USE_VERTEXAI', 'true');
    vi.stubEnv('GOOGLE_GENAI_USE_ENTERPRISE', 'true');
    vi.stubEnv('GOOGLE_CLOUD_PROJECT', 'someone-elses');
    vi.stubEnv('GOOGLE_GEMINI_BASE_URL', elsewhere.server.url);
    vi.stubEnv('GOOGLE_VERTEX_BASE_URL', elsewhere.server.url);
    const said = vi.spyOn(console, 'warn').mockReturnValue();
    const { ask, server } = await geminiWith({ turns: [{ text: 'here' }] }, {}, '/prefix');
    expect((await ask()).text).toBe('here');
    expect(server.requests[0]).toMatchObject({
      path: '/prefix/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse',
      headers: { 'x-goog-api-key': `sha256:${sha256(GEMINI_KEY)}` },
    });
    expect(elsewhere.server.requests).toHaveLength(0);
    expect(said).not.toHaveBeenCalled();
    said.mockRestore();
  });

  test('without a key nothing is sent to the vendor, and a service of one’s own gets none', async () => {
    let sent = 0;
    const fetch: typeof globalThis.fetch = async () => {
      sent++;
      return new Response('');
    };
    const atVendor = await geminiWith(
      {},
      { apiKey: async () => undefined, fetch, baseUrl: 'https://generativelanguage.googleapis.com/' },
    );
    expect((await failureOf(atVendor.ask())).code).toBe('no_key');
    expect(sent).toBe(0);
    const { ask } = await geminiWith({ turns: [{ text: 'ok' }] }, { apiKey: async () => ' ', needsKey: false });
    // The fixture is the vendor's: it wants a key.
    expect((await failureOf(ask())).message).toContain('unregistered callers');
  });
});

describe('the list of models', () => {
  const model = (name: string, more: object = {}) => ({
    name: `models/${name}`,
    displayName: name.toUpperCase(),
    inputTokenLimit: 2_000_000,
    outputTokenLimit: 9_000,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
    ...more,
  });

  test('has those for conversations; its limits count where they are known', async () => {
    const { provider } = await geminiWith({
      models: [
        model('gemini-3.8-flash'),
        model('gemini-9-next'),
        model('gemini-embedding-2', { supportedGenerationMethods: ['embedContent'] }),
        model('gemini-3.8-flash-tts'),
      ],
    });
    const models = await provider.list(new AbortController().signal);
    expect(models.map(({ id }) => id)).toEqual(['gemini-3.8-flash', 'gemini-9-next']);
    expect(models[0]).toMatchObject({
      name: 'GEMINI-3.8-FLASH',
      limits: { contextTokens: 2_000_000, maxOutputTokens: 9_000 },
      price: { input: 0.75, output: 3.75 },
      capabilities: { tools: true, efforts: ['low', 'medium', 'high'] },
    });
    const next = models[1];
    const informed = await geminiWith({}, { listed: (id) => (id === next?.id ? next : undefined) });
    expect(informed.provider.limits('gemini-9-next')).toEqual(next?.limits);
    expect(provider.limits('gemini-9-next').contextTokens).toBe(128_000);
    const limited = await geminiWith({}, { contextTokens: 50_000 });
    expect(limited.provider.limits('gemini-3.8-flash')).toEqual({ contextTokens: 50_000, maxOutputTokens: 50_000 });
  });

  test('fails in the same words as a request', async () => {
    const { provider } = await geminiWith({ validKeys: ['another'] });
    expect((await failureOf(provider.list(new AbortController().signal))).code).toBe('wrong_key');
  });
});
