import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LiveText } from '../../../src-main/assistant/live-text.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the first delta goes out at once, later ones at most once a frame, and nothing is lost', () => {
  const commits: string[] = [];
  const text = new LiveText((delta) => commits.push(delta));
  for (const character of 'abcdef') text.push(character);
  expect(commits).toEqual(['a']);
  vi.advanceTimersByTime(16);
  expect(commits).toEqual(['a', 'bcdef']);
  text.push('g');
  expect(commits.join('') + text.take()).toBe('abcdefg');
  vi.advanceTimersByTime(100);
  expect(commits).toEqual(['a', 'bcdef']);
});

test('a pause ends the cadence: the delta after it goes out at once again', () => {
  const commits: string[] = [];
  const text = new LiveText((delta) => commits.push(delta));
  text.push('a');
  vi.advanceTimersByTime(100);
  text.push('b');
  expect(commits).toEqual(['a', 'b']);
});

test('a commit that failed between two deltas stops the turn at the next one', () => {
  let full = false;
  const text = new LiveText(() => {
    if (full) throw new Error('disk full');
  });
  text.push('a');
  text.push('b');
  full = true;
  vi.advanceTimersByTime(16);
  expect(() => text.push('c')).toThrow('disk full');
});

test('a timed commit that failed is not passed over when the answer ends before the next delta', () => {
  let full = false;
  const text = new LiveText(() => {
    if (full) throw new Error('disk full');
  });
  text.push('a');
  text.push('b');
  full = true;
  vi.advanceTimersByTime(16);
  expect(() => text.take()).toThrow('disk full');
});
