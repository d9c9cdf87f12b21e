import { expect, test } from 'vitest';
import { spansOf } from '../../../src-renderer/chat/thread/hit-ranges.ts';

test.each([
  ['whole words only', 'a cat, concat, cat.', ['cat'], ['cat@2', 'cat@15']],
  ['each spelling', 'Zürich and zurich', ['Zürich', 'zurich'], ['Zürich@0', 'zurich@11']],
  ['characters of scripts without spaces, anywhere', '北東京都', ['東京'], ['東京@1']],
  ['beside digits and letters outside the basic plane', 'x𝒂b 𝒂', ['𝒂'], ['𝒂@5']],
  ['nothing for an empty spelling', 'abc', [''], []],
  ['what is not there', 'abc', ['abd'], []],
])('a match is marked: %s', (_, text, spellings, expected) => {
  expect(spansOf(text, spellings).map(([start, end]) => `${text.slice(start, end)}@${start}`)).toEqual(expected);
});

test('a text that is nothing but matches is marked so far as a user looks', () => {
  expect(spansOf('a '.repeat(100_000), ['a'])).toHaveLength(500);
});
