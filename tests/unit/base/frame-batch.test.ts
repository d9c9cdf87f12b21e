import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FrameBatch } from '../../../src-main/base/frame-batch.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const FRAME = 16;

test('a single item is delivered immediately; items within the same frame are delivered together, in order', () => {
  const taken: (readonly number[])[] = [];
  const batch = new FrameBatch<number>((numbers) => taken.push(numbers));
  batch.push(1);
  expect(taken).toEqual([[1]]);
  for (const number of [2, 3, 4]) batch.push(number);
  expect(taken).toEqual([[1]]);
  vi.advanceTimersByTime(FRAME);
  expect(taken).toEqual([[1], [2, 3, 4]]);
  vi.advanceTimersByTime(FRAME);
  expect(vi.getTimerCount()).toBe(0);
  batch.push(5);
  expect(taken.at(-1)).toEqual([5]);
});

test('items taken or flushed are not delivered again', () => {
  const taken: (readonly number[])[] = [];
  const batch = new FrameBatch<number>((numbers) => taken.push(numbers));
  for (const number of [1, 2, 3]) batch.push(number);
  expect(batch.take()).toEqual([2, 3]);
  expect(vi.getTimerCount()).toBe(0);
  batch.push(4);
  batch.push(5);
  batch.flush();
  vi.advanceTimersByTime(10 * FRAME);
  expect(taken).toEqual([[1], [4], [5]]);
});

test('items that arrive during a delivery are delivered in order', () => {
  const taken: (readonly number[])[] = [];
  const batch = new FrameBatch<number>((numbers) => {
    taken.push(numbers);
    if (numbers.includes(1)) batch.push(2);
  });
  batch.push(1);
  vi.advanceTimersByTime(FRAME);
  expect(taken).toEqual([[1], [2]]);
});

test('a failed delivery loses its own items and none that come later', () => {
  const taken: (readonly number[])[] = [];
  const batch = new FrameBatch<number>((numbers) => {
    if (numbers.includes(1)) throw new Error('not this one');
    taken.push(numbers);
  });
  expect(() => batch.push(1)).toThrow('not this one');
  batch.push(2);
  vi.advanceTimersByTime(FRAME);
  expect(taken).toEqual([[2]]);
});
