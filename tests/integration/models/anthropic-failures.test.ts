import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { AnthropicProvider } from '../../../src-main/models/anthropic/anthropic-provider.ts';
import type { Message } from '../../../src-main/models/messages.ts';
import type { ModelErrorCode, ModelStreamEvent } from '../../../src-main/models/provider.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { failureOf } from './asking.ts';
import { KEY, setUp } from './claude-on-fixture.ts';

describe('a failure a user can act on', () => {
  const vendor: readonly (readonly [string, ScriptedTurn['error'], string, RegExp])[] = [
    [
      'a wrong key',
      { status: 401, message: 'invalid x-api-key' },
      'wrong_key',
      /does not accept the API key[\s\S]*Settings/,
    ],
    ['no permission', { status: 403 }, 'no_permission', /may not use the model "claude-sonnet-5-5"/],
    [
      'no credit (400)',
      { status: 400, message: 'Your credit balance is too low to access the Anthropic API.' },
      'no_credit',
      /billing/,
    ],
    ['no credit (402)', { status: 402 }, 'no_credit', /billing/],
    [
      'a spending limit',
      { status: 400, message: 'You have reached your specified API usage limits.' },
      'no_credit',
      /usage limits/,
    ],
    ['an unknown model', { status: 404, message: 'model: claude-x' }, 'unknown_model', /"claude-sonnet-5-5"/],
    ['a request too large', { status: 413 }, 'request_too_large', /32 MB/],
    [
      'a prompt too long',
      { status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' },
      'context_too_long',
      /context window/,
    ],
    [
      'too little room for the answer',
      { status: 400, message: 'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000' },
      'context_too_long',
      /Start a new conversation/,
    ],
    ['any other bad request', { status: 400, message: 'messages.3: nonsense' }, 'bad_request', /messages\.3: nonsense/],
    ['a rate limit', { status: 429, headers: { 'retry-after': '0' } }, 'rate_limited', /Wait 0 seconds/],
    ['overload', { status: 529 }, 'overloaded', /overloaded/],
    ['a server error', { status: 500 }, 'server_error', /HTTP 500/],
    [
      'a bad gateway with a web page',
      { status: 502, rawBody: '<html><body><h1>Bad Gateway</h1></body></html>' },
      'server_error',
      /Bad Gateway/,
    ],
    ['a gateway timeout', { status: 504 }, 'server_error', /HTTP 504/],
  ];
  test.each(vendor)('%s', async (_, error, code, text) => {
    const { ask } = await setUp({ turns: [{ error }], afterLast: 'repeat' });
    const failed = await failureOf(ask());
    expect(failed.code).toBe(code);
    expect(failed.message).toMatch(text);
  });

  test('names where it can be fixed: in Settings, on the vendor’s page, or only by trying again', () => {
    const own = new AnthropicProvider({ apiKey: async () => KEY });
    const gateway = new AnthropicProvider({ apiKey: async () => KEY, baseUrl: 'https://gateway.example' });
    const places = (provider: AnthropicProvider, code: ModelErrorCode) =>
      provider.remedies(code).map((remedy) => (remedy.kind === 'settings' ? remedy.section : remedy.page));
    for (const code of ['no_key', 'wrong_key', 'no_permission', 'unknown_model'] as const)
      expect(places(own, code), code).toEqual(['models']);
    expect(places(own, 'no_credit')).toEqual(['anthropic-billing']);
    expect(places(own, 'offline')).toEqual([]);
    expect(places(gateway, 'offline')).toEqual(['data']);
    expect(places(gateway, 'unknown_model')).toEqual(['models', 'data']);
    expect(places(own, 'rate_limited')).toEqual([]);
  });

  test('a request above the limit of the service is not even sent', async () => {
    const { server, ask } = await setUp({});
    const image = { type: 'image', mediaType: 'image/png', data: 'A'.repeat(5 * 1024 * 1024) } as const;
    const messages: Message[] = [{ role: 'user', content: Array.from({ length: 7 }, () => image) }];
    expect((await failureOf(ask({ messages }))).code).toBe('request_too_large');
    expect(server.requests).toEqual([]);
  });

  test('no key: nothing is sent, and the text says how to add one', async () => {
    const { server, ask } = await setUp({}, { apiKey: async () => undefined });
    const failed = await failureOf(ask());
    expect(failed.code).toBe('no_key');
    expect(failed.message).toMatch(/Settings[\s\S]*ANTHROPIC_API_KEY/);
    expect(server.requests).toEqual([]);
  });

  test('a key with characters that no key has is refused here, and not shown', async () => {
    const { ask } = await setUp({}, { apiKey: async () => 'sk-ant-good\nINJECTED: 1' });
    const failed = await failureOf(ask());
    expect(failed.code).toBe('wrong_key');
    expect(failed.message).not.toMatch(/good|INJECTED/);
  });

  test('the key never shows, even when the server echoes it', async () => {
    const message = `no such key: ${KEY} (Authorization: Bearer ${KEY}, sk-ant-api03-SOMEONE_ELSES)`;
    for (const status of [400, 401, 500]) {
      const { ask } = await setUp({ turns: [{ error: { status, message } }], afterLast: 'repeat' });
      const failed = await failureOf(ask());
      expect(JSON.stringify([failed.message, failed.cause, failed.stack])).not.toMatch(/0123456789|SOMEONE_ELSES/);
    }
  });

  test('a host that cannot be found, refuses, or is not the API is named', async () => {
    const unused = await unusedPort();
    const cases: readonly (readonly [string, string, RegExp])[] = [
      ['http://no-such-host.invalid', 'offline', /no-such-host\.invalid/],
      [`http://127.0.0.1:${unused}`, 'offline', new RegExp(`127\\.0\\.0\\.1:${unused} refused`)],
      ['ftp://example.org', 'bad_request', /base URL/],
      ['not a url', 'bad_request', /base URL/],
    ];
    for (const [baseUrl, code, text] of cases) {
      const { ask } = await setUp({}, { baseUrl, maxRetries: 0 });
      const failed = await failureOf(ask());
      expect([failed.code, failed.message]).toEqual([code, expect.stringMatching(text)]);
    }
  });

  test('what waiting can’t change on this machine is not retried: nobody listens, or a port that fetch refuses', async () => {
    const unused = await unusedPort();
    const waits: number[] = [];
    const sleep = async (milliseconds: number) => void waits.push(milliseconds);
    for (const [baseUrl, code, text] of [
      [`http://127.0.0.1:${unused}`, 'offline', /no program on this computer listens there/],
      [`http://localhost:${unused}`, 'offline', /no program on this computer listens there/],
      ['http://127.0.0.1:6000', 'bad_request', /127\.0\.0\.1:6000 is at a port/],
      ['https://10.255.255.1:25', 'bad_request', /10\.255\.255\.1:25 is at a port/],
    ] as const) {
      const { ask } = await setUp({}, { baseUrl, sleep });
      const failed = await failureOf(ask());
      expect([failed.code, failed.message]).toEqual([code, expect.stringMatching(text)]);
    }
    expect(waits).toEqual([]);
  });

  test('an untrusted certificate is reported as such, and not retried', async () => {
    const cause = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    const { ask } = await setUp({}, { fetch: () => Promise.reject(new TypeError('fetch failed', { cause })) });
    const failed = await failureOf(ask());
    expect([failed.code, failed.message]).toEqual(['offline', expect.stringMatching(/certificate/)]);
  });

  test('a web page instead of the API, and a redirect, are explained; the key does not follow the redirect', async () => {
    const page = await setUp({ turns: [{ rawSse: '<html>sign in</html>', contentType: 'text/html' }] });
    expect((await failureOf(page.ask())).code).toBe('bad_answer');
    const other = await setUp({});
    const moved = await setUp({
      turns: [{ error: { status: 307, headers: { location: `${other.server.url}/v1/messages` } } }],
    });
    expect((await failureOf(moved.ask())).message).toMatch(/redirects \(HTTP 307/);
    expect(other.server.seenKeys).toEqual([]);
  });

  test('an error in the middle of a stream is told by its type, and what came before stays', async () => {
    const types: readonly (readonly [string, string])[] = [
      ['overloaded_error', 'overloaded'],
      ['api_error', 'server_error'],
      ['rate_limit_error', 'rate_limited'],
      ['invalid_request_error', 'bad_request'],
      ['authentication_error', 'wrong_key'],
    ];
    for (const [type, code] of types) {
      const { server, ask } = await setUp({
        turns: [{ text: 'Hello there', errorEvent: { afterEvents: 4, type } }],
        afterLast: 'repeat',
      });
      const seen: ModelStreamEvent[] = [];
      expect((await failureOf(ask({}, seen))).code).toBe(code);
      expect(seen).toEqual([{ type: 'text', text: 'Hello there' }]);
      expect(server.requests).toHaveLength(1);
    }
  });

  test.each([
    ['cut', { dropAfterEvents: 4 }],
    ['ended too early', { endAfterEvents: 4 }],
    ['cut inside an event', { dropAfterBytes: 700 }],
  ])('a stream that is %s after some text is reported once, and the text stays', async (_, accident) => {
    const { server, ask } = await setUp({
      turns: [{ text: 'Hello there'.repeat(20), ...accident }],
      afterLast: 'repeat',
    });
    const seen: ModelStreamEvent[] = [];
    expect((await failureOf(ask({}, seen))).code).toBe('stream_broken');
    expect(seen[0]).toMatchObject({ type: 'text' });
    expect(server.requests).toHaveLength(1);
  });

  test('a line that is not JSON ends the answer with an explanation', async () => {
    const { ask } = await setUp({ turns: [{ rawSse: 'event: message_start\ndata: {oops\n\n' }] });
    expect((await failureOf(ask())).code).toBe('bad_answer');
  });

  test('a silent service is given up, before the headers and in the middle', async () => {
    for (const accident of [{ neverAnswer: true }, { stallAfterEvents: 0 }, { stallAfterEvents: 4 }]) {
      const { server, ask } = await setUp({ turns: [{ text: 'Hi', ...accident }] }, { idleMs: 300 });
      const failed = await failureOf(ask());
      expect([failed.code, failed.message]).toEqual(['no_answer', expect.stringMatching(/sent nothing/)]);
      expect(server.requests).toHaveLength(1);
    }
  });

  test('pings count as life', async () => {
    const { ask } = await setUp(
      { turns: [{ text: 'Hi', pingForeverAfterEvents: 4, pingEveryMs: 20 }] },
      { idleMs: 1500 },
    );
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 2500);
    await expect(ask({ signal: controller.signal })).rejects.toThrow('enough');
  });

  test.each(['text', 'line'] as const)('an endless %s is cut off at the limit', async (endless) => {
    const { server, ask } = await setUp({ turns: [{ text: 'Hi', endless }] }, { maxAnswerBytes: 300_000 });
    expect((await failureOf(ask())).code).toBe('answer_too_large');
    await expect.poll(() => server.hungUp()).toBe(1);
  });
});

async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
