import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TimeLimit } from '../../../src-main/base/time-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the clock is paused while a user is asked, and continues with the remaining time', async () => {
  const clock = new TimeLimit(1_000);
  await vi.advanceTimersByTimeAsync(900);
  let answer: (() => void) | undefined;
  const asking = clock.whileStopped(
    () =>
      new Promise<void>((resolve) => {
        answer = resolve;
      }),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  expect(clock.signal.aborted).toBe(false);
  answer?.();
  await asking;
  await vi.advanceTimersByTimeAsync(99);
  expect(clock.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(clock.signal.aborted).toBe(true);
});

test('a stopped clock never rings', async () => {
  const clock = new TimeLimit(1_000);
  clock.stop();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(clock.signal.aborted).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});
