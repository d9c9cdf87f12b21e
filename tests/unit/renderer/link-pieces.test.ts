import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkPieces } from '../../../src-renderer/ui/link-pieces.ts';

const urls = (text: string) => linkPieces(text).flatMap(({ url }) => url ?? []);

test('addresses are apart from the sentence around them', () => {
  expect(urls('Add credit at https://a.example/settings/billing, then try again.')).toEqual([
    'https://a.example/settings/billing',
  ]);
  expect(urls('(keys are made at https://a.example/keys). See http://b.example/?q=1.')).toEqual([
    'https://a.example/keys',
    'http://b.example/?q=1',
  ]);
  expect(urls('127.0.0.1:8080 cannot be reached. javascript:alert(1)')).toEqual([]);
});

test('nothing of a text is lost', () => {
  const part = fc.constantFrom('https://', 'a.example', '/x', '.', ',', ' ', '\n', ')', '"', 'word');
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = parts.join('');
      expect(
        linkPieces(text)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
    }),
    { numRuns: 500 },
  );
});
