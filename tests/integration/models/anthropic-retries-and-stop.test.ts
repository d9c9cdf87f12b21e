import { describe, expect, test } from 'vitest';
import type { ModelStreamEvent } from '../../../src-main/models/provider.ts';
import { failureOf } from './asking.ts';
import { setUp } from './claude-on-fixture.ts';

describe('retries', () => {
  test.each([429, 500, 502, 503, 504, 529])('HTTP %d is tried again, visibly, until it works', async (status) => {
    const { server, ask, waits } = await setUp({
      turns: [{ error: { status } }, { error: { status } }, { text: 'At last' }],
    });
    const { events, text } = await ask();
    expect(text).toBe('At last');
    expect(events.slice(0, 2)).toMatchObject([
      { type: 'retry', attempt: 1, most: 4, waitMs: 438 },
      { type: 'retry', attempt: 2, most: 4, waitMs: 875 },
    ]);
    expect(waits).toEqual([438, 875]);
    expect(server.requests).toHaveLength(3);
  });

  test('after the last retry the failure itself is reported', async () => {
    const { server, ask, waits } = await setUp({ turns: [{ error: { status: 529 } }], afterLast: 'repeat' });
    const seen: ModelStreamEvent[] = [];
    expect((await failureOf(ask({}, seen))).code).toBe('overloaded');
    expect(seen.map((event) => event.type)).toEqual(['retry', 'retry', 'retry', 'retry']);
    expect(waits).toEqual([438, 875, 1750, 3500]);
    expect(server.requests).toHaveLength(5);
  });

  test('a connection that breaks before anything was given out is tried again', async () => {
    for (const accident of [
      { dropAfterEvents: 0 },
      { dropAfterEvents: 2 },
      { endAfterEvents: 1 },
      { errorEvent: { afterEvents: 1, type: 'overloaded_error' } },
    ]) {
      const { ask } = await setUp({ turns: [{ text: 'lost', ...accident }, { text: 'whole' }] });
      const { events, text } = await ask();
      expect([events[0]?.type, text]).toEqual(['retry', 'whole']);
    }
  });

  test('a wait that the service asks for is kept; one above a minute ends at once with the wait in the text', async () => {
    const soon = await setUp({
      turns: [
        { error: { status: 429, headers: { 'retry-after': '7' } } },
        { error: { status: 429, headers: { 'retry-after-ms': '1234' } } },
        { text: 'ok' },
      ],
    });
    await soon.ask();
    expect(soon.waits).toEqual([7000, 1234]);
    const late = await setUp({
      turns: [{ error: { status: 429, headers: { 'retry-after': '120' } } }],
      afterLast: 'repeat',
    });
    const failed = await failureOf(late.ask());
    expect([failed.code, failed.retryAfterMs, failed.message]).toEqual([
      'rate_limited',
      120_000,
      expect.stringMatching(/Wait 120 seconds/),
    ]);
    expect(late.server.requests).toHaveLength(1);
  });

  test('the service can forbid a retry, or ask for one', async () => {
    const no = await setUp({
      turns: [{ error: { status: 500, headers: { 'x-should-retry': 'false' } } }],
      afterLast: 'repeat',
    });
    await failureOf(no.ask());
    expect(no.server.requests).toHaveLength(1);
    const yes = await setUp({
      turns: [
        { error: { status: 409, type: 'conflict_error', headers: { 'x-should-retry': 'true' } } },
        { text: 'ok' },
      ],
    });
    expect((await yes.ask()).text).toBe('ok');
  });

  test('an abort ends the wait at once', async () => {
    const controller = new AbortController();
    const { ask } = await setUp(
      { turns: [{ error: { status: 429, headers: { 'retry-after': '50' } } }], afterLast: 'repeat' },
      { sleep: undefined },
    );
    const seen: ModelStreamEvent[] = [];
    const asked = ask({ signal: controller.signal }, seen);
    await expect.poll(() => seen.length).toBe(1);
    controller.abort(new Error('stopped'));
    await expect(asked).rejects.toThrow('stopped');
  });
});

describe('stop', () => {
  test('an abort reaches the stream: the server sees the connection closed, and the reason comes back', async () => {
    const { server, ask } = await setUp({ turns: [{ text: 'Hi', pingForeverAfterEvents: 4 }] });
    const controller = new AbortController();
    const seen: ModelStreamEvent[] = [];
    const asked = ask({ signal: controller.signal }, seen);
    await expect.poll(() => seen.length).toBe(1);
    controller.abort(new Error('stopped'));
    await expect(asked).rejects.toThrow('stopped');
    await expect.poll(() => server.hungUp()).toBe(1);
  });

  test('leaving the loop early closes the connection too', async () => {
    const { server, provider, request } = await setUp({ turns: [{ text: 'Hi', pingForeverAfterEvents: 4 }] });
    for await (const event of provider.stream(request())) if (event.type === 'text') break;
    await expect.poll(() => server.hungUp()).toBe(1);
  });
});
