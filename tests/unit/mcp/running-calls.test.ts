import { expect, test } from 'vitest';
import { RunningCalls } from '../../../src-main/mcp/calls/running-calls.ts';

const origin = (conversationId: string) => ({ conversationId, record: () => undefined });
const { signal } = new AbortController();

test('a request that says nothing about itself may be for a request without a call too', async () => {
  const running = new RunningCalls();
  await running.during({ signal, origin: origin('a') }, async () => {
    expect(running.outside(() => running.originOf(undefined))).toMatchObject({ conversations: 1 });
    await running.during({ signal }, async () => {
      expect(running.outside(() => running.originOf(undefined))).toMatchObject({
        call: { conversationId: 'a' },
        conversations: 2,
      });
    });
  });
  expect(running.originOf(undefined)).toMatchObject({ call: undefined, conversations: 0 });
});

test('questions of a request without a call end with the request', async () => {
  const running = new RunningCalls();
  const origins = await running.during({ signal }, async () => {
    const origin = running.originOf(undefined);
    expect(origin).toMatchObject({ call: undefined, conversations: 0 });
    expect(origin.over?.aborted).toBe(false);
    return origin;
  });
  expect(origins.over?.aborted).toBe(true);
});
