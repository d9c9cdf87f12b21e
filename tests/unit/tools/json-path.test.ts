import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partsAt } from '../../../src-main/tools/json/json-path.ts';
import { parseJsonPath } from '../../../src-main/tools/json/json-path-parser.ts';

const quoted = (key: string) => JSON.stringify(key);
const singleQuoted = (key: string) =>
  `'${JSON.stringify(key).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

test('every value of any document is found by the path that leads to it, however its keys are written', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 4 }),
      fc.array(fc.nat(), { maxLength: 5 }),
      fc.boolean(),
      (document, picks, isDouble) => {
        let value: unknown = document;
        let path = '$';
        for (const pick of picks) {
          if (typeof value !== 'object' || value === null) break;
          const keys = Object.keys(value);
          const key = keys[pick % Math.max(1, keys.length)];
          if (key === undefined) break;
          const length = Array.isArray(value) ? value.length : 0;
          const index = pick % 2 === 0 ? key : String(Number(key) - length);
          path += Array.isArray(value) ? `[${index}]` : `[${isDouble ? quoted(key) : singleQuoted(key)}]`;
          value = Object.entries(value).find(([each]) => each === key)?.[1];
        }
        expect(partsAt(document, parseJsonPath(path))).toEqual([value]);
      },
    ),
    { numRuns: 300 },
  );
});

test('bare keys are read to the next dot or bracket', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[\p{L}\p{N}_$@:-]{1,8}$/u), { minLength: 1, maxLength: 6 }), (keys) => {
      const expected = keys.map((key) => ({ kind: 'key', key }));
      expect(parseJsonPath(`$.${keys.join('.')}`)).toEqual(expected);
    }),
  );
});

test('any text is either a path or an error that says where', () => {
  const piece = fc.constantFrom(
    '$',
    '.',
    '..',
    '[',
    ']',
    '*',
    '?',
    '(',
    ')',
    '@',
    "'",
    '"',
    '\\',
    'u00',
    '==',
    '<',
    '-',
    '1',
    'a',
    ' ',
    'null',
    '\ud800',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(piece).map((parts) => parts.join('')),
      ),
      (text) => {
        try {
          const segments = parseJsonPath(text);
          expect(Array.isArray(partsAt({ a: [1, { a: null }] }, segments))).toBe(true);
        } catch (error) {
          expect(String(error)).toMatch(/^Error: in the path at position \d+: /);
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

test('a wildcard gives every child, a filter those that fit', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer(), (numbers, limit) => {
      expect(partsAt(numbers, parseJsonPath('[*]'))).toEqual(numbers);
      expect(partsAt(numbers, parseJsonPath(`[?(@ <= ${limit})]`))).toEqual(numbers.filter((each) => each <= limit));
      const records = numbers.map((n) => ({ n }));
      expect(partsAt(records, parseJsonPath(`[?(@.n != ${limit})].n`))).toEqual(
        numbers.filter((each) => each !== limit),
      );
    }),
  );
});
