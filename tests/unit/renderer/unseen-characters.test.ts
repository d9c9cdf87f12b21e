import fc from 'fast-check';
import { expect, test } from 'vitest';
import { piecesOf } from '../../../src-renderer/ui/unseen-characters.ts';

test('stand-ins for characters that cannot be seen are told from written text', () => {
  expect(piecesOf('a⟨U+202E⟩b⇥   c')).toEqual([
    { text: 'a', isUnseen: false },
    { text: '⟨U+202E⟩', isUnseen: true },
    { text: 'b', isUnseen: false },
    { text: '⇥   ', isUnseen: true },
    { text: 'c', isUnseen: false },
  ]);
});

test('nothing is lost, added or moved, whatever the text', () => {
  const part = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('⟨U+200B⟩', '⇥   ', '⟨U+', '⟩', '⇥'));
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = parts.join('');
      expect(
        piecesOf(text)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
    }),
  );
});

test('a text made of nothing else is still shown whole', () => {
  const text = '⟨U+200B⟩'.repeat(50_000);
  expect(piecesOf(text)).toEqual([{ text, isUnseen: false }]);
});
