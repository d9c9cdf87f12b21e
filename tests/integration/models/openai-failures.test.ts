import { describe, expect, test } from 'vitest';
import type { ModelErrorCode, ModelStreamEvent } from '../../../src-main/models/provider.ts';
import { providerRemedy } from '../../../src-preload/contract/remedies.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startOpenAiApi } from '../../fixtures/openai/server.ts';
import { failureOf } from './asking.ts';
import { OPENAI_KEY, openAiOn, TALKER, THINKER } from './openai-on-fixture.ts';

const APIS = [
  ['Chat Completions', TALKER],
  ['Responses', THINKER],
] as const;

describe.each(APIS)('a failure of %s', (_, model) => {
  const vendor: readonly (readonly [string, ScriptedTurn['error'], ModelErrorCode, number])[] = [
    ['no quota', { status: 429, type: 'insufficient_quota/insufficient_quota' }, 'no_credit', 1],
    ['no credit', { status: 402, message: 'Insufficient Balance' }, 'no_credit', 1],
    ['no permission', { status: 403 }, 'no_permission', 1],
    ['an unknown model', { status: 404, type: '/model_not_found' }, 'unknown_model', 1],
    ['a history too long', { status: 400, type: '/context_length_exceeded' }, 'context_too_long', 1],
    [
      'a history too long, in the words of a small server',
      { status: 400, message: 'the request exceeds the available context size. try increasing n_ctx' },
      'context_too_long',
      1,
    ],
    [
      'more tokens than the account has in a minute',
      { status: 429, type: 'tokens/rate_limit_exceeded', message: 'Request too large for gpt-4.1 on tokens per min' },
      'request_too_large',
      1,
    ],
    ['a rate limit', { status: 429, type: 'requests/rate_limit_exceeded' }, 'rate_limited', 3],
    ['overload', { status: 503 }, 'overloaded', 3],
    ['a server error', { status: 500 }, 'server_error', 3],
    ['a bad gateway with a page', { status: 502, rawBody: '<html><h1>Bad Gateway</h1></html>' }, 'server_error', 3],
    ['a word of the service not to repeat', { status: 500, headers: { 'x-should-retry': 'false' } }, 'server_error', 1],
    ['any other bad request', { status: 400, message: 'nonsense' }, 'bad_request', 1],
  ];
  test.each(vendor)('%s', async (_name, error, code, attempts) => {
    const { ask, server } = await openAiOn({ turns: [{ error }], afterLast: 'repeat' }, { maxRetries: 2 });
    const failed = await failureOf(ask({ model }));
    expect(failed.code).toBe(code);
    expect(server.requests).toHaveLength(attempts);
    if (error?.message !== undefined) expect(failed.message).toContain(error.message);
  });

  test('the key never shows, even when the server echoes it', async () => {
    const message = `no such key: ${OPENAI_KEY} (Bearer ${OPENAI_KEY}, sk-proj-SOMEONE_ELSES0, api-key: abcdefgh)`;
    for (const status of [400, 401, 500]) {
      const { ask } = await openAiOn({ turns: [{ error: { status, message } }], afterLast: 'repeat' });
      const failed = await failureOf(ask({ model }));
      expect(JSON.stringify([failed.message, failed.cause, failed.stack])).not.toMatch(/0123456789|SOMEONE|abcdefgh/);
    }
  });

  test('an error in the middle of a stream is told by its code, and what came before stays', async () => {
    for (const [type, code] of [
      ['server_error', 'server_error'],
      ['rate_limit_exceeded', 'rate_limited'],
      ['insufficient_quota', 'no_credit'],
      ['unheard_of', 'bad_request'],
    ] as const) {
      const afterEvents = model === TALKER ? 2 : 5;
      const turn = { text: 'Hello there', errorEvent: { afterEvents, type } };
      const { ask, server } = await openAiOn({ turns: [turn], afterLast: 'repeat' });
      const seen: ModelStreamEvent[] = [];
      expect((await failureOf(ask({ model }, seen))).code).toBe(code);
      expect(seen).toEqual([{ type: 'text', text: 'Hello there' }]);
      expect(server.requests).toHaveLength(1);
    }
  });

  test.each([
    ['cut', { dropAfterEvents: 5 }],
    ['ended too early', { endAfterEvents: 5 }],
    ['cut inside an event', { dropAfterBytes: 3_000 }],
  ])('a stream that is %s after some text is reported once, and the text stays', async (_name, accident) => {
    const { ask, server } = await openAiOn({
      turns: [{ text: 'Hello there'.repeat(200), ...accident }],
      afterLast: 'repeat',
    });
    const seen: ModelStreamEvent[] = [];
    expect((await failureOf(ask({ model }, seen))).code).toBe('stream_broken');
    expect(seen[0]).toMatchObject({ type: 'text' });
    expect(server.requests).toHaveLength(1);
  });

  test('a stream that is cut before any text is asked for again', async () => {
    const { ask } = await openAiOn({ turns: [{ text: 'x', dropAfterEvents: 1 }, { text: 'Now.' }] });
    const { text, retries } = await ask({ model });
    expect([text, retries]).toEqual(['Now.', ['stream_broken']]);
  });

  test('an answer with nothing in it, and one that is no JSON, are explained', async () => {
    const empty = await openAiOn({ turns: [{ usage: { output_tokens: 0 } }] });
    expect((await failureOf(empty.ask({ model }))).code).toBe('bad_answer');
    const broken = await openAiOn({ turns: [{ rawSse: 'data: {oops\n\n' }] });
    expect((await failureOf(broken.ask({ model }))).code).toBe('bad_answer');
  });

  test('a silent service is given up, before the headers and in the middle; pings count as life', async () => {
    for (const accident of [{ neverAnswer: true }, { stallAfterEvents: 0 }, { stallAfterEvents: 2 }]) {
      const { ask } = await openAiOn({ turns: [{ text: 'Hi', ...accident }] }, { idleMs: 300 });
      expect((await failureOf(ask({ model }))).code).toBe('no_answer');
    }
    const { ask } = await openAiOn(
      { turns: [{ text: 'Hi', pingForeverAfterEvents: 2, pingEveryMs: 20 }] },
      { idleMs: 1_000 },
    );
    const signal = AbortSignal.timeout(1_600);
    await expect(ask({ model, signal })).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test.each(['text', 'line'] as const)('an endless %s is cut off at the limit', async (endless) => {
    const { ask, server } = await openAiOn({ turns: [{ text: 'Hi', endless }] }, { maxAnswerBytes: 300_000 });
    expect((await failureOf(ask({ model }))).code).toBe('answer_too_large');
    await expect.poll(() => server.hungUp()).toBe(1);
  });

  test('Stop ends the request at once', async () => {
    const { ask, server } = await openAiOn({ turns: [{ text: 'Hi', stallAfterEvents: 2 }] });
    const stop = new AbortController();
    const asked = ask({ model, signal: stop.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    stop.abort(new Error('stopped'));
    await expect(asked).rejects.toThrow('stopped');
    await expect.poll(() => server.hungUp()).toBe(1);
  });

  test('the key does not follow a redirect', async () => {
    const other = await startOpenAiApi();
    const location = `${other.url}/v1/responses`;
    const { ask } = await openAiOn({ turns: [{ error: { status: 307, headers: { location } } }] });
    expect((await failureOf(ask({ model }))).code).toBe('bad_request');
    expect(other.seenKeys).toEqual([]);
    await other.close();
  });
});

test('no key: nothing is sent where one is needed, and the text says how to add one', async () => {
  const { ask, server } = await openAiOn({}, { apiKey: async () => undefined });
  const failed = await failureOf(ask());
  expect(failed.code).toBe('no_key');
  expect(failed.message).toMatch(/OPENAI_API_KEY/);
  const unusable = await openAiOn({}, { apiKey: async () => 'sk-good\nINJECTED: 1' });
  expect((await failureOf(unusable.ask())).message).not.toMatch(/good|INJECTED/);
  expect([...server.requests, ...unusable.server.requests]).toEqual([]);
});

test('a failure names the page where it can be fixed, at the vendor and at other services', async () => {
  const vendor = await openAiOn({});
  const other = await openAiOn({}, { name: 'groq', needsKey: false });
  const places = ({ provider }: typeof vendor, code: ModelErrorCode) =>
    provider.remedies(code).map((remedy) => (remedy.kind === 'settings' ? remedy.section : remedy.page));
  expect(places(vendor, 'no_credit')).toEqual(['openai-billing']);
  expect(places(vendor, 'overloaded')).toEqual(['openai-status']);
  expect(places(other, 'no_credit')).toEqual([]);
  expect(other.provider.remedies('offline')).toEqual([providerRemedy('groq')]);
  expect(vendor.provider.remedies('no_key')).toEqual([providerRemedy('openai')]);
});

test.each(APIS)(
  '%s: once the answer has ended, a connection that stays open or breaks loses nothing of it',
  async (_, model) => {
    const last = model === TALKER ? 3 : 9;
    for (const accident of [{ stallAfterEvents: last }, { dropAfterEvents: last }]) {
      const { ask } = await openAiOn({ turns: [{ text: 'Hi', ...accident }] }, { idleMs: 1_000 });
      const { text, end } = await ask({ model });
      expect([text, end?.type]).toEqual(['Hi', 'end']);
    }
  },
);
