import { expect, test } from 'vitest';
import { isTooLong, LongTexts } from '../../../src-renderer/consent/long-texts.ts';
import { linesInView } from '../../../src-renderer/consent/reading-lines.ts';

const block = { top: 100, height: 800, lineHeight: 10 };

test('the lines that are in view as a whole', () => {
  expect(linesInView(block, { top: 0, bottom: 220 })).toEqual({ first: 1, last: 12, total: 80 });
  expect(linesInView(block, { top: 205, bottom: 325 })).toEqual({ first: 12, last: 22, total: 80 });
  expect(linesInView(block, { top: 600, bottom: 1000 })).toEqual({ first: 51, last: 80, total: 80 });
});

test('nothing to say where all of it is in view, or none', () => {
  expect(linesInView(block, { top: 0, bottom: 1000 })).toBeNull();
  expect(linesInView(block, { top: 0, bottom: 90 })).toBeNull();
});

test('a text is too long by its lines or by its characters', () => {
  expect(isTooLong('x\n'.repeat(150))).toBe(false);
  expect(isTooLong('x\n'.repeat(250))).toBe(true);
  expect(isTooLong('x'.repeat(20_000))).toBe(true);
});

test('a card is read when each of its long texts is', () => {
  const told: string[] = [];
  const texts = new LongTexts(() => told.push('read'));
  const [endFirst, endSecond] = [texts.add(() => told.push('first')), texts.add(() => told.push('second'))];
  texts.readOn();
  endFirst();
  endFirst();
  expect(texts.areRead).toBe(false);
  texts.readOn();
  endSecond();
  expect(texts.areRead).toBe(true);
  expect(told).toEqual(['first', 'read', 'second', 'read']);
});
