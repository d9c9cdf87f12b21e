import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FrameBatcher } from '../../../src-renderer/conversation/frame-batcher.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const FRAME = 16;
const numbered = (n: number) => ({ n });

test('what comes alone is there at once; what comes within a frame of it comes together, in order', () => {
  const taken: number[] = [];
  const batcher = new FrameBatcher<{ n: number }>(({ n }) => taken.push(n));
  batcher.push(numbered(1));
  expect(taken).toEqual([1]);
  for (const n of [2, 3, 4]) batcher.push(numbered(n));
  expect(taken).toEqual([1]);
  vi.advanceTimersByTime(FRAME);
  expect(taken).toEqual([1, 2, 3, 4]);
  batcher.push(numbered(5));
  vi.advanceTimersByTime(FRAME);
  expect(taken).toEqual([1, 2, 3, 4, 5]);
  vi.advanceTimersByTime(FRAME);
  expect(vi.getTimerCount()).toBe(0);
  batcher.push(numbered(6));
  expect(taken).toEqual([1, 2, 3, 4, 5, 6]);
});

test('one that cannot be taken holds up none of the others', () => {
  const taken: number[] = [];
  const batcher = new FrameBatcher<{ n: number }>(({ n }) => {
    if (n === 2) throw new Error('not this one');
    taken.push(n);
  });
  for (const n of [1, 2, 3]) batcher.push(numbered(n));
  expect(() => vi.advanceTimersByTime(FRAME)).toThrow('not this one');
  vi.advanceTimersByTime(FRAME);
  expect(taken).toEqual([1, 3]);
});

test('what comes while the others are taken comes in its turn', () => {
  const taken: number[] = [];
  const batcher = new FrameBatcher<{ n: number }>(({ n }) => {
    taken.push(n);
    if (n === 1) batcher.push(numbered(2));
  });
  batcher.push(numbered(1));
  vi.advanceTimersByTime(FRAME);
  expect(taken).toEqual([1, 2]);
});
