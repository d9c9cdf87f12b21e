import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type InvocationEnd,
  type InvocationSettings,
  Invocations,
} from '../../../src-main/client-tools/invocations.ts';
import type { ClientHost, ClientRequest } from '../../../src-main/client-tools/records.ts';

/** The rows of tool catalogue D.5 that begin once a call may be made. */

class Host implements ClientHost {
  readonly name = 'Editor';
  isConnected = true;
  readonly requests: ClientRequest[] = [];
  readonly cancelled: string[] = [];
  request(request: ClientRequest): void {
    this.requests.push(request);
  }
  cancel(requestId: string): void {
    this.cancelled.push(requestId);
  }
}

const TEMPLATE = "Client disconnected. Tool '{0}' unavailable.";

function rig(changed: Partial<InvocationSettings> = {}) {
  const settings = {
    ...({ invokeTimeoutMs: 30_000, strategy: 'FallbackMessage', maxRetries: 3, fallbackTemplate: TEMPLATE } as const),
    ...changed,
  };
  const logged: string[] = [];
  const invocations = new Invocations(
    () => settings,
    (message) => logged.push(message),
  );
  const host = new Host();
  const ends: InvocationEnd[] = [];
  const stop = new AbortController();
  const call = (toolName = 'OpenFile', of: () => ClientHost | undefined = () => host) =>
    invocations
      .call({ toolName, callId: 'call_1', arguments: {}, host: of, signal: stop.signal })
      .then((end) => ends.push(end));
  const answer = (requestId: string, from: ClientHost = host) =>
    invocations.answer({ requestId, content: [{ type: 'text', text: requestId }], success: true }, from);
  return { invocations, host, logged, ends, stop, call, answer };
}

const elapse = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('an answer with the id of the request ends the call; a fresh id each time', async () => {
  const it = rig();
  void it.call();
  void it.call();
  const [first, second] = it.host.requests;
  expect(first?.requestId).not.toBe(second?.requestId);
  expect(it.answer(first?.requestId ?? '')).toBe(true);
  await elapse(0);
  expect(it.ends).toMatchObject([{ kind: 'answered', response: { requestId: first?.requestId } }]);
});

test('parallel calls may be answered in any order', async () => {
  const it = rig();
  for (const name of ['a', 'b', 'c']) void it.call(name);
  for (const { requestId } of it.host.requests.toReversed()) it.answer(requestId);
  await elapse(0);
  expect(it.ends.map(({ kind }) => kind)).toEqual(['answered', 'answered', 'answered']);
});

test('unknown, duplicate and late answers, and those of another client, change nothing and are logged', async () => {
  const it = rig({ invokeTimeoutMs: 100 });
  void it.call();
  const id = it.host.requests[0]?.requestId ?? '';
  expect(it.answer('unknown')).toBe(false);
  expect(it.answer(id, new Host())).toBe(false);
  await elapse(0);
  expect(it.ends).toEqual([]);
  expect(it.answer(id)).toBe(true);
  expect(it.answer(id)).toBe(false);
  void it.call();
  await elapse(100);
  expect(it.answer(it.host.requests[1]?.requestId ?? '')).toBe(false);
  expect(it.logged).toHaveLength(4);
  expect(it.ends.map(({ kind }) => kind)).toEqual(['answered', 'unavailable']);
  // Nonsense all day does not fill the log.
  for (let count = 0; count < 1_000; count++) it.answer(`nonsense ${count}`);
  expect(it.logged.length).toBeLessThan(50);
});

describe('no answer', () => {
  test('FallbackMessage: after the timeout the call ends with the template, once', async () => {
    const it = rig();
    void it.call('OpenFile');
    await elapse(29_999);
    expect(it.ends).toEqual([]);
    await elapse(1);
    expect(it.ends).toEqual([{ kind: 'unavailable', text: "Client disconnected. Tool 'OpenFile' unavailable." }]);
    expect(it.host.cancelled).toEqual([it.host.requests[0]?.requestId]);
  });

  test('the name of the tool is put into the template unchanged', async () => {
    const it = rig({ fallbackTemplate: '{0} and {0}' });
    void it.call("$& $'", () => undefined);
    await elapse(0);
    expect(it.ends).toMatchObject([{ text: "$& $' and $& $'" }]);
  });

  test('a disconnect, a missing client and an unreachable one give the same result at once', async () => {
    const it = rig();
    void it.call();
    it.host.isConnected = false;
    it.invocations.disconnected(it.host);
    void it.call('b', () => undefined);
    void it.call('c');
    const broken = new Host();
    broken.request = () => {
      throw new Error('EPIPE');
    };
    void it.call('d', () => broken);
    await elapse(0);
    expect(it.ends.map(({ kind }) => kind)).toEqual(['unavailable', 'unavailable', 'unavailable', 'unavailable']);
  });

  test('the disconnect of another client ends nothing', async () => {
    const it = rig();
    void it.call();
    it.invocations.disconnected(new Host());
    await elapse(0);
    expect(it.ends).toEqual([]);
  });

  test('FailFast: the turn ends', async () => {
    const it = rig({ strategy: 'FailFast' });
    void it.call();
    await elapse(30_000);
    expect(it.ends).toEqual([{ kind: 'failed', text: "Client tool 'OpenFile' timed out waiting for response." }]);
  });

  test('RetryWithBackoff: the same request again after 1, 2 and 4 seconds, then the turn ends', async () => {
    const it = rig({ strategy: 'RetryWithBackoff', invokeTimeoutMs: 100 });
    void it.call();
    const sent: number[] = [];
    for (let ms = 0; ms <= 7_500; ms += 100) {
      if (it.host.requests.length > sent.length) sent.push(ms);
      await elapse(100);
    }
    // Each wait begins when the 100 ms are over.
    expect(sent).toEqual([0, 1_100, 3_200, 7_300]);
    expect(new Set(it.host.requests.map((request) => JSON.stringify(request))).size).toBe(1);
    expect(it.ends).toEqual([{ kind: 'failed', text: "Client tool 'OpenFile' timed out." }]);
  });

  test('RetryWithBackoff: an answer between two attempts ends the call; a client that comes back gets the request', async () => {
    const it = rig({ strategy: 'RetryWithBackoff', invokeTimeoutMs: 100 });
    void it.call();
    await elapse(500);
    it.answer(it.host.requests[0]?.requestId ?? '');
    await elapse(10_000);
    expect(it.host.requests).toHaveLength(1);
    expect(it.ends.map(({ kind }) => kind)).toEqual(['answered']);

    const back = new Host();
    let now: ClientHost | undefined;
    void it.call('b', () => now);
    now = back;
    await elapse(1_000);
    expect(it.answer(back.requests[0]?.requestId ?? '', back)).toBe(true);
  });

  test('RetryWithBackoff: a disconnect between two attempts does not use up an attempt', async () => {
    const it = rig({ strategy: 'RetryWithBackoff', invokeTimeoutMs: 100, maxRetries: 1 });
    const back = new Host();
    void it.call('b', () => (it.host.isConnected ? it.host : back));
    await elapse(500);
    it.host.isConnected = false;
    it.invocations.disconnected(it.host);
    await elapse(600);
    expect(it.ends).toEqual([]);
    expect(it.answer(back.requests[0]?.requestId ?? '', back)).toBe(true);
  });

  test('RetryWithBackoff: without retries the turn ends at once', async () => {
    const it = rig({ strategy: 'RetryWithBackoff', maxRetries: 0 });
    void it.call('OpenFile', () => undefined);
    await elapse(0);
    expect(it.ends).toEqual([{ kind: 'failed', text: "Client tool 'OpenFile' timed out." }]);
  });
});

test('Stop ends every call, and the client is told', async () => {
  const it = rig();
  void it.call('a');
  void it.call('b');
  it.stop.abort();
  void it.call('c');
  await elapse(0);
  expect(it.ends.map((end) => end.kind === 'cancelled' && end.text).sort()).toEqual([
    "Client tool 'a' was cancelled.",
    "Client tool 'b' was cancelled.",
    "Client tool 'c' was cancelled.",
  ]);
  expect(it.host.cancelled).toEqual(it.host.requests.map(({ requestId }) => requestId));
  expect(it.host.requests).toHaveLength(2);
  expect(vi.getTimerCount()).toBe(0);
});
