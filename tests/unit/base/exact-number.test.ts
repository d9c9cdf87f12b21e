import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactNumber, parseExactJson } from '../../../src-main/base/exact-number.ts';
import { exactJson } from '../../../src-preload/contract/exact-json.ts';

test('whole numbers keep all their digits from JSON to JSON', () => {
  const text =
    '{"id":9007199254740993,"ids":[-18446744073709551616,9007199254740992,1,0],"text":"9007199254740993 \\" 1e999"}';
  const value = parseExactJson(text);
  expect(value).toEqual({
    id: 9007199254740993n,
    ids: [-18446744073709551616n, 9007199254740992, 1, 0],
    text: '9007199254740993 " 1e999',
  });
  expect(exactJson(value)).toBe(text);
  expect(exactJson({ a: [1n] }, 2)).toBe('{\n  "a": [\n    1\n  ]\n}');
});

test('any whole numbers and texts survive a round trip', () => {
  const leaf = fc.oneof(
    fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const object = fc.dictionary(fc.string(), fc.oneof(leaf, fc.array(leaf)));
  fc.assert(
    fc.property(object, (value) => {
      const text = exactJson(value);
      expect(exactJson(parseExactJson(text))).toBe(text);
    }),
    { numRuns: 300 },
  );
});

test('a number that no double comes near is refused, one with more decimals than it holds is not', () => {
  for (const number of ['1e999', '-1.5e400', '1e-999']) {
    expect(() => parseExactJson(`[${number}]`, { isStrict: true })).toThrow(number);
    expect(parseExactJson(`[${number}]`)).toEqual(JSON.parse(`[${number}]`));
  }
  expect(parseExactJson('[0.12345678901234567890, 0e-999, 1e+308]')).toEqual([0.12345678901234568, 0, 1e308]);
  expect(() => parseExactJson('[12345678901234567890')).toThrow(SyntaxError);
  expect(() => parseExactJson('[0012345678901234567890]')).toThrow(SyntaxError);
  expect(exactJson(parseExactJson('{"__proto__":12345678901234567890}'))).toBe('{"__proto__":12345678901234567890}');
});

test('a text is a number only if it says exactly that', () => {
  const texts = [
    '7',
    '-0.50',
    '1e3',
    '9007199254740993',
    '0.1',
    '1e999',
    '007',
    '',
    ' 7',
    '0x7',
    '0.12345678901234567890',
  ];
  expect(texts.map(exactNumber)).toEqual([7, -0.5, 1_000, 9007199254740993n, 0.1, ...Array(6).fill(undefined)]);
});
