import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withClosedElements } from '../../../src-main/tools/web/page/xhtml.ts';

test.each([
  ['<script src="x"/>', '<script src="x"></script>'],
  ['<title/>', '<title></title>'],
  ['<svg:path d="M0"\n/>', '<svg:path d="M0"\n></svg:path>'],
  ['<br/><IMG src="a"/><input type="text" />', '<br/><IMG src="a"/><input type="text" />'],
  ['<p>1 / 2 < 3</p> <a href="x/">y</a>', '<p>1 / 2 < 3</p> <a href="x/">y</a>'],
])('%s', (xhtml, html) => {
  expect(withClosedElements(xhtml)).toBe(html);
});

test('text without self-closing elements is unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '/', 'a', ' ', '"', '=') }), (text) => {
      fc.pre(!text.includes('/>'));
      expect(withClosedElements(text)).toBe(text);
    }),
  );
});
