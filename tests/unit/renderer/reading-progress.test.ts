import { expect, test } from 'vitest';
import { firstLines } from '../../../src-renderer/consent/first-lines.ts';
import { ReadingProgress } from '../../../src-renderer/consent/reading-progress.ts';

test('a text that fits counts as read immediately', () => {
  expect(new ReadingProgress().inView(0, 400, 400)).toBe(true);
  expect(new ReadingProgress().inView(0, 399.5, 400.4)).toBe(true);
});

test('a jump to the end leaves out the middle', () => {
  const progress = new ReadingProgress();
  expect(progress.inView(0, 100, 1000)).toBe(false);
  expect(progress.inView(900, 1000, 1000)).toBe(false);
  expect(progress.firstUnseen).toBe(100);
  for (let top = 80; top < 800; top += 80) expect(progress.inView(top, top + 100, 1000)).toBe(false);
  expect(progress.inView(820, 920, 1000)).toBe(true);
});

test('a text that became longer is read from its current position', () => {
  const progress = new ReadingProgress();
  progress.inView(0, 100, 200);
  expect(progress.inView(100, 200, 300)).toBe(false);
  expect(progress.inView(200, 300, 300)).toBe(false);
  expect(progress.firstUnseen).toBe(0);
  expect(progress.inView(0, 100, 300)).toBe(true);
});

test.each([
  ['', '', 0],
  ['one', 'one', 0],
  ['\n'.repeat(11), '\n'.repeat(11), 0],
  ['\n'.repeat(12), '\n'.repeat(11), 1],
  [Array.from({ length: 350 }, (_, line) => `${line}`).join('\n'), '0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11', 338],
])('the first lines and the count of the rest (%#)', (text, beginning, lines) => {
  expect(firstLines(text)).toEqual({ beginning, rest: { lines, characters: 0 } });
});

test('a line without end counts by its characters', () => {
  const { beginning, rest } = firstLines(`${'x'.repeat(1_006_000)}`);
  expect([beginning.length, rest]).toEqual([6_000, { lines: 0, characters: 1_000_000 }]);
});
