import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineAndColumn, parseConfigText } from '../../../src-main/settings/config-text.ts';

test.each([
  ["{'a': 1}", 1, 2, 'double quotes'],
  ['{a: 1}', 1, 2, 'double quotes'],
  ['{"a": \'b\'}', 1, 7, 'double quotes'],
  ['# note\n{}', 1, 1, 'double quotes'],
  ['{\r\n  "a": 1\r\n  "b": 2\r\n}', 3, 3, 'a comma'],
  ['{"a": [1 2]}', 1, 10, 'a comma'],
  ['{"a": 1,, "b": 2}', 1, 9, 'a key in double quotes'],
  ['{"a" 1}', 1, 6, 'a colon'],
  ['{"a": "C:\\Users"}', 1, 7, 'backslash must be doubled'],
  ['{"a": "\\u12"}', 1, 7, 'backslash'],
  ['{"a": "x\n"}', 1, 7, 'no closing quote'],
  ['{"a": "x', 1, 7, 'half-written'],
  ['{"a": 1', 1, 8, 'half-written'],
  ['{"a":', 1, 6, 'half-written'],
  ['{', 1, 2, 'half-written'],
  ['{"a": 1} /* note', 1, 10, 'not closed; the file may be half-written'],
  ['{"a": tru}', 1, 7, 'numbers, true, false and null'],
  ['{"a": 01}', 1, 8, 'a comma'],
  ['{"a": 1.}', 1, 7, 'incomplete'],
  ['{"a": ,}', 1, 7, 'a value is expected'],
  ['{} {}', 1, 4, 'after the end'],
  ['{"a": "\t"}', 1, 7, 'control characters'],
])('%j: line %i, column %i: %s', (text, line, column, words) => {
  const { mistake } = { mistake: undefined, ...parseConfigText(text) };
  expect(mistake?.reason).toContain(words);
  expect(lineAndColumn(text, mistake?.offset ?? -1)).toEqual({ line, column });
});

test.each([
  ['{\n  // note\n  "a": 1, /* b */\n}\n// end', { a: 1 }],
  ['{"a": [1, 2,],}', { a: [1, 2] }],
  ['{"a": "// no comment", "b": "/* nor this */"}', { a: '// no comment', b: '/* nor this */' }],
  ['{"a": 1, "a": 2}', { a: 2 }],
])('%j is read', (text, value) => {
  expect(parseConfigText(text)).toEqual({ value });
});

test('what the engine reads means the same here; beyond it only comments and commas at the end are read', () => {
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
    fc.property(fc.oneof(damaged, fc.string(), fc.json(), fc.constant('{"__proto__": {"a": 1}}')), (text) => {
      const parsed = parseConfigText(text);
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        if ('value' in parsed) expect(text).toMatch(/\/\/|\/\*|,\s*[}\]]/);
        return;
      }
      expect(parsed).toStrictEqual({ value });
    }),
    { numRuns: 2000 },
  );
});

test('a hundred thousand brackets are refused, not a crash', () => {
  expect(parseConfigText('['.repeat(100_000))).toMatchObject({ mistake: { reason: 'nested too deeply' } });
});
