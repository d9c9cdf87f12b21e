import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressStandsIn } from '../../../src-main/network/address-in-text.ts';

test.each([
  ['https://example.org', 'https://example.org/'],
  ['see (https://example.org/a_(b)).', 'https://example.org/a_(b)'],
  ['[text](https://example.org/a "title")', 'https://example.org/a'],
  ['<a href="https://example.org/?a=1&amp;b=2">', 'https://example.org/?a=1&b=2'],
  ['HTTPS://Example.ORG/A', 'https://example.org/A'],
  ['at www.example.org.', 'http://www.example.org/'],
  ['"url":"https://example.org/x\\n"', 'https://example.org/x'],
  ['https://b\u00fccher.example/\u00e4', 'https://xn--bcher-kva.example/%C3%A4'],
])('%s holds %s', (text, url) => {
  expect(addressStandsIn(text, url)).toBe(true);
});

test.each([
  ['https://example.org/abc', 'https://example.org/ab'],
  ['https://example.org/abc', 'https://example.org/abcd'],
  ['https://example.org.evil.example/', 'https://example.org/x'],
  ['xhttps://example.org/', 'https://example.org/'],
  ['example.org/a', 'https://example.org/a'],
  ['', 'https://example.org/'],
])('%s does not hold %s', (text, url) => {
  expect(addressStandsIn(text, url)).toBe(false);
});

test('whatever address stands between blanks is found', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.lorem(), (url, around) => {
      expect(addressStandsIn(`${around} ${url} ${around}`, new URL(url).href)).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test('a text that consists only of address beginnings is not searched endlessly', () => {
  expect(addressStandsIn('http://example.org).'.repeat(100_000), 'https://example.org/')).toBe(false);
});
