import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseConfigText } from '../../../src-main/settings/config-text.ts';
import { editConfigText, renameConfigKey } from '../../../src-main/settings/edit-config-text.ts';

const edited = (text: string, path: readonly (string | number)[], value?: unknown) =>
  editConfigText(text, [{ path, value }]);

test.each<[string, readonly (string | number)[], unknown, string]>([
  // Lists and objects on one line stay on it.
  ['{"a": [1, 2]}', ['a', 1], undefined, '{"a": [1]}'],
  ['{"a": [1, 2]}', ['a', 0], undefined, '{"a": [2]}'],
  ['{"a": [1, 2,]}', ['a', 1], undefined, '{"a": [1, ]}'],
  ['{"a": [1]}', ['a', 0], undefined, '{"a": []}'],
  ['{"a": [1]}', ['a', 1], 'x', '{"a": [1, "x"]}'],
  ['{"a": [1,]}', ['a', 1], 'x', '{"a": [1, "x",]}'],
  ['{"a": 1, "b": 2}', ['a'], undefined, '{"b": 2}'],
  ['{"a": 1}', ['b', 'c'], [1, { d: 2 }], '{"a": 1, "b": {"c": [1, {"d": 2}]}}'],
  ['{ "a": 1 } // end', ['a'], { b: [] }, '{ "a": {"b": []} } // end'],
  ['{"a": {"b": 1}}', ['a', 'b'], undefined, '{"a": {}}'],
  ['{"a": 1}', ['x'], undefined, '{"a": 1}'],
  // Comments belong to what they stand behind, or to what is below them.
  ['{\n  "a": 1 // one\n}', ['b'], 2, '{\n  "a": 1, // one\n  "b": 2\n}'],
  ['{\n  "a": 1, // one\n}', ['b'], 2, '{\n  "a": 1, // one\n  "b": 2,\n}'],
  ['{\n  "a": 1, // one\n  // two\n  "b": 2\n}', ['a'], undefined, '{\n  // two\n  "b": 2\n}'],
  ['{\n  "a": 1, // one\n  // two\n  "b": 2\n}', ['b'], undefined, '{\n  "a": 1 // one\n  // two\n}'],
  ['{\n  "a": 1, /* two */ "b": 2\n}', ['a'], undefined, '{\n  /* two */ "b": 2\n}'],
  ['{\n  // nothing yet\n}', ['a'], 1, '{\n  // nothing yet\n  "a": 1\n}'],
  // Indentation and line ends are those of the file.
  ['{}\n', ['a', 'b'], 1, '{\n  "a": {\n    "b": 1\n  }\n}\n'],
  ['{\r\n\t"a": {}\r\n}', ['a', 'b'], [1], '{\r\n\t"a": {\r\n\t\t"b": [\r\n\t\t\t1\r\n\t\t]\r\n\t}\r\n}'],
  ['{\n    "a": "b",\n    "c": {"d": 1}\n}', ['e'], 'f', '{\n    "a": "b",\n    "c": {"d": 1},\n    "e": "f"\n}'],
])('%j, %j = %j', (text, path, value, expected) => {
  expect(edited(text, path, value)).toBe(expected);
});

interface Written {
  readonly key: string;
  readonly value: unknown;
  readonly above: boolean;
  readonly behind: boolean;
}

test('any edit changes that value and no other, and takes no comment of another entry', () => {
  const entries = fc.uniqueArray(
    fc.record({ key: fc.string({ minLength: 1 }), value: fc.jsonValue(), above: fc.boolean(), behind: fc.boolean() }),
    { selector: ({ key }) => key, maxLength: 6 },
  );
  const layouts = fc.record({
    lineEnd: fc.constantFrom('\n', '\r\n'),
    onLines: fc.boolean(),
    lastComma: fc.boolean(),
    isCompact: fc.boolean(),
  });
  const values = fc.oneof(fc.jsonValue(), fc.constant(undefined));
  fc.assert(
    fc.property(entries, layouts, fc.nat(6), values, (written, layout, at, value) => {
      const text = rendered(written, layout);
      const key = written[at]?.key ?? 'a new key';
      const result = edited(text, [key], value);
      const expected = Object.fromEntries(written.map((entry) => [entry.key, entry.value]));
      if (value === undefined) delete expected[key];
      else Object.defineProperty(expected, key, { value, enumerable: true, configurable: true, writable: true });
      expect(parseConfigText(result)).toEqual({ value: JSON.parse(JSON.stringify(expected)) });
      for (const [index, { above, behind }] of written.entries()) {
        if (above) expect(result).toContain(`/* above ${index} */`);
        if (behind && index !== at) expect(result).toContain(`/* behind ${index} */`);
      }
    }),
    { numRuns: 2000 },
  );
});

function rendered(
  written: readonly Written[],
  layout: { lineEnd: string; onLines: boolean; lastComma: boolean; isCompact: boolean },
): string {
  const { onLines, lastComma, isCompact } = layout;
  const gap = onLines ? '\n  ' : ' ';
  const body = written.map(({ key, value, above, behind }, index) => {
    const comma = index < written.length - 1 || lastComma ? ',' : '';
    const json = `${JSON.stringify(key)}: ${JSON.stringify(value, null, isCompact ? undefined : 2)}`;
    return `${above ? `${gap}/* above ${index} */` : ''}${gap}${json}${comma}${behind ? ` /* behind ${index} */` : ''}`;
  });
  return `{${body.join('')}${onLines ? '\n' : ' '}}`.replaceAll('\n', layout.lineEnd);
}

test('a renamed key keeps its value, its place and the comments around it', () => {
  const text = '{\n  // mine\n  "a": {"x": 1, /* two */ "y": [2]}, // end\n  "b": 3\n}';
  expect(renameConfigKey(text, ['a'], 'c "d"')).toBe(text.replace('"a"', '"c \\"d\\""'));
  expect(renameConfigKey(text, ['a', 'y'], 'z')).toBe(text.replace('"y"', '"z"'));
  expect(renameConfigKey(text, ['nothing'], 'z')).toBe(text);
});
