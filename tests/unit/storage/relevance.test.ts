import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passageOf } from '../../../src-main/storage/search/passage.ts';
import { fitOf, read, relevanceOf, type Term, termsOf, weightOf } from '../../../src-main/storage/search/relevance.ts';

const terms = (...words: string[]): Term[] => words.map((word) => ({ words: word.split(' '), weight: 1 }));
const howWell = (text: string, wanted: readonly Term[]) => fitOf([read(text, wanted)], wanted);
const DAY_MS = 86_400_000;

test('a question is taken apart into what it asks for', () => {
  expect(termsOf("What is France's capital?")).toEqual([['france'], ['capital']]);
  expect(termsOf('AND OR (')).toEqual([['and'], ['or']]);
  expect(termsOf('the the theatre')).toEqual([['theatre']]);
  expect(termsOf('東京 "new york"')).toEqual([
    ['東', '京'],
    ['new', 'york'],
  ]);
  expect(termsOf('?!')).toEqual([]);
  expect(termsOf(Array.from({ length: 60 }, (_, index) => `word${index}`).join(' '))).toHaveLength(16);
});

test('more of the terms, and nothing else, is a better fit', () => {
  const wanted = terms('new york', 'ferry');
  expect(howWell('the ferry in New York', wanted)).toBeGreaterThan(howWell('the ferry', wanted));
  expect(howWell('york is new', wanted)).toBe(0);
  expect(howWell('ferry', wanted)).toBeGreaterThan(howWell(`ferry ${'and so on '.repeat(100)}`, wanted));
  expect(howWell('ferry ferry', wanted)).toBeGreaterThan(howWell('ferry boat', wanted));
});

test('a rare word weighs more, and recency decides between equals', () => {
  expect(weightOf(0.001, 100_000)).toBeGreaterThan(weightOf(0.5, 100_000));
  expect(weightOf(1, 1)).toBeGreaterThan(0);
  expect(relevanceOf(0.5, DAY_MS)).toBeGreaterThan(relevanceOf(0.5, 30 * DAY_MS));
  expect(relevanceOf(0.9, 3_000 * DAY_MS)).toBeGreaterThan(relevanceOf(0.5, 0));
  expect(relevanceOf(1, -DAY_MS)).toBe(1);
});

test('relevance stays within 0 and 1 for any text and age', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.double({ noNaN: true }), (text, query, ageMs) => {
      const wanted = termsOf(query).map((words) => ({ words, weight: weightOf(0.01, 50) }));
      const relevance = relevanceOf(howWell(text, wanted), ageMs);
      expect(relevance).toBeGreaterThanOrEqual(0);
      expect(relevance).toBeLessThanOrEqual(1);
    }),
  );
});

test('a passage is the part of a text with most of the terms, wherever it stands', () => {
  const filler = 'lorem ipsum 東 '.repeat(20_000);
  const wanted = terms('vault', 'code');
  const text = `the code of honour ${filler}the vault code is 4711 ${filler}`;
  const passage = passageOf(text, terms('vault', 'code'), 200);
  expect(passage.text).toMatch(/^….*the vault code is 4711.*…$/);
  expect(passage.text.length).toBeLessThanOrEqual(202);
  expect(fitOf([passage], wanted)).toBeGreaterThan(0.5);
  expect(passageOf('short', wanted, 200)).toEqual({ text: 'short', matches: [], words: 1 });
  expect(passageOf('vault', wanted, 200)).toEqual({
    text: 'vault',
    matches: [{ term: 0, start: 0, end: 5 }],
    words: 1,
  });
});

test('a passage never splits a character and holds what it says it holds', () => {
  const unit = fc.constantFrom('a ', 'vault ', '😀 ', 'é ', '東 ', '\n', 'code. ');
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 300 }), fc.integer({ min: 20, max: 200 }), (units, length) => {
      const text = units.join('');
      const wanted = terms('vault', 'code');
      const passage = passageOf(text, wanted, length);
      expect(passage.text).not.toMatch(/\p{Surrogate}/u);
      const found = read(passage.text, wanted).matches.map(({ term }) => term);
      expect(found).toEqual(passage.matches.map(({ term }) => term));
    }),
  );
});
