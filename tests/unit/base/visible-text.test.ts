import { expect, test } from 'vitest';
import { visible } from '../../../src-main/base/visible-text.ts';

test('of a long run of one hidden character it is said how many there are', () => {
  expect(visible(`a${'\u202e'.repeat(15)}b`)).toBe(`a${'⟨U+202E⟩'.repeat(15)}b`);
  expect(visible(`a${'\u202e'.repeat(16)}b`)).toBe('a⟨U+202E⟩×16b');
  expect(visible('\u{e0041}'.repeat(20))).toBe('⟨U+E0041⟩×20');
  expect(visible('\t'.repeat(16))).toBe('⇥   ×16');
  expect(visible(`${'\u0001'.repeat(17)}${'\u0002'.repeat(17)}`)).toBe('⟨U+0001⟩×17⟨U+0002⟩×17');
});

test('a run without end is said in parts', () => {
  expect(visible('\u0001'.repeat(4_000_000)).length).toBeLessThan(20_000);
  expect(visible('\u0001\u0002'.repeat(10))).toBe('⟨U+0001⟩⟨U+0002⟩'.repeat(10));
});
