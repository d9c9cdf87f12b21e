import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  findPhrases,
  indexableText,
  parseQuery,
  toMatchExpression,
  wordsOf,
} from '../../../src-main/storage/search/search-text.ts';
import { snippetOf } from '../../../src-main/storage/search/snippet.ts';

test.each([
  ['Hello, WORLD! it’s read_file', 'hello world it s read file'],
  ['Crème Brûlée ＡＢＣ ﬁn', 'creme brulee abc fin'],
  ['東京タワー2024年', '東 京 タ ワ ー 2024 年'],
  ['안녕하세요', '안 녕 하 세 요'],
  ['ｶﾞｷﾞ', 'ガ ギ'],
  ['ภาษาไทย', 'ภ า ษ า ไ ท ย'],
  ['abc東京def', 'abc 東 京 def'],
  ['ÉCOLE ΟΔΟΣ İstanbul', 'ecole οδοσ istanbul'],
  ['🎉done ❤️', '🎉 done ❤'],
  ['\0 \ud800 " * ^ : ()', ''],
])('the words of %j are %j', (text, words) => {
  expect(indexableText(text)).toBe(words);
});

test('every word has its place in the text', () => {
  const text = 'Die ﬁne 東京 Straße';
  expect([...wordsOf(text)].map(({ start, end }) => text.slice(start, end))).toEqual([
    'Die',
    'ﬁne',
    '東',
    '京',
    'Straße',
  ]);
});

test('a query is phrases, the last of which may be unfinished', () => {
  const expression = (query: string) => toMatchExpression(parseQuery(query));
  expect(expression('foo ba')).toBe('"foo" AND "ba" *');
  expect(expression('read_file 東京')).toBe('"read file" AND "東 京" *');
  expect(expression('"exact words" AND (x')).toBe('"exact words" AND "and" AND "x" *');
  expect(expression('say "the end"')).toBe('"say" AND "the end"');
  expect(expression(' " * ^ ( NUL\0')).toBe('"nul" *');
  expect(expression('"*" ()')).toBeUndefined();
});

test('an expression holds nothing but quoted words, for any text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 300 })), (query) => {
      const expression = toMatchExpression(parseQuery(query)) ?? '""';
      expect(expression).toMatch(/^"[^"\0]*"( AND "[^"\0]*")*( \*)?$/);
      expect(expression.split(/[ "]+/).length).toBeLessThan(140);
    }),
    { numRuns: 500 },
  );
});

test('matches are found where they stand, and a snippet shows the first of them', () => {
  const text = `${'x '.repeat(100)}Tōkyō 東京\nand 東京 again ${'y '.repeat(200)}`;
  const matches = findPhrases(text, parseQuery('tokyo 東京'));
  expect(matches.map(([start, end]) => text.slice(start, end))).toEqual(['Tōkyō', '東京', '東京']);
  const snippet = snippetOf(text, matches);
  expect(snippet.text).toMatch(/^…x .* Tōkyō 東京 and 東京 again .*…$/);
  expect(snippet.matches.map(([start, end]) => snippet.text.slice(start, end))).toEqual(['Tōkyō', '東京', '東京']);
});

test('a snippet never splits a character and never points outside itself', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 600 }),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
      (text, query) => {
        const snippet = snippetOf(text, findPhrases(text, parseQuery(query)));
        expect(snippet.text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
        for (const [start, end] of snippet.matches) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(snippet.text.length);
        }
      },
    ),
  );
});
