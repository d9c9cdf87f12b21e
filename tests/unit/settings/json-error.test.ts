import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonMistake, lineAndColumn } from '../../../src-main/settings/json-error.ts';

test.each([
  ['{\n  "a": 1,\n}', 3, 1, 'a comma before }'],
  ['{"a": [1, 2,]}', 1, 13, 'a comma before ]'],
  ['{\n  // note\n  "a": 1\n}', 2, 3, 'no comments'],
  ['{"a": /* b */ 1}', 1, 7, 'no comments'],
  ["{'a': 1}", 1, 2, 'a key in double quotes'],
  ['{a: 1}', 1, 2, 'a key in double quotes'],
  ['{"a": \'b\'}', 1, 7, 'double quotes'],
  ['{\r\n  "a": 1\r\n  "b": 2\r\n}', 3, 3, 'a comma or }'],
  ['{"a" 1}', 1, 6, 'a colon'],
  ['{"a": "C:\\Users"}', 1, 10, 'backslash must be doubled'],
  ['{"a": "\\u12"}', 1, 8, 'backslash'],
  ['{"a": "x\n"}', 1, 7, 'no closing quote'],
  ['{"a": "x', 1, 7, 'half-written'],
  ['{"a": 1', 1, 8, 'half-written'],
  ['{"a":', 1, 6, 'half-written'],
  ['{', 1, 2, 'half-written'],
  ['{"a": tru}', 1, 7, 'a value is expected'],
  ['{"a": 01}', 1, 7, 'a value is expected'],
  ['{"a": ,}', 1, 7, 'a value is expected'],
  ['{} {}', 1, 4, 'after the end'],
  ['{"a": "\t"}', 1, 8, 'control characters'],
])('%j: line %i, column %i: %s', (text, line, column, words) => {
  expect(() => JSON.parse(text)).toThrow();
  const mistake = findJsonMistake(text);
  expect(mistake?.reason).toContain(words);
  expect(lineAndColumn(text, mistake?.offset ?? -1)).toEqual({ line, column });
});

test('a mistake is found in exactly the texts that the engine refuses', () => {
  const damaged = fc
    .tuple(
      fc.jsonValue(),
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', '[', '\\', '0', ' ', '/', 'e', '\n', '-'),
      fc.nat(2),
    )
    .map(([value, at, insert, cut]) => {
      const text = JSON.stringify(value, null, 1);
      const place = at % (text.length + 1);
      return text.slice(0, place) + insert + text.slice(place + cut);
    });
  fc.assert(
    fc.property(fc.oneof(damaged, fc.string(), fc.json()), (text) => {
      let isValid = true;
      try {
        JSON.parse(text);
      } catch {
        isValid = false;
      }
      expect(findJsonMistake(text) === undefined).toBe(isValid);
    }),
    { numRuns: 2000 },
  );
});

test('a hundred thousand brackets are refused, not a crash', () => {
  expect(findJsonMistake('['.repeat(100_000))?.reason).toBe('nested too deeply');
});
