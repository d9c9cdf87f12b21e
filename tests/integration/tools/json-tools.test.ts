import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_LEVELS } from '../../../src-main/base/bounded-json.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import { isRequired, pathProblem } from '../../fixtures/tool-texts.ts';

let tools: ToolHarness;
beforeAll(() => {
  tools = new ToolHarness({ consent: allowAll });
});
afterAll(() => tools.dispose());

const parse = (json: unknown) => tools.text('parse_json', { json });
const serialize = (data: unknown) => tools.text('serialize_json', { data });
const query = (json: unknown, path: string) => tools.text('query_json', { json, path });

test('parse_json summarises and indents', async () => {
  expect(await parse('{"a":1,"b":2}')).toBe('Parsed JSON object (2 keys)\n{\n  "a": 1,\n  "b": 2\n}');
  expect(await parse('[1,"x",null]')).toBe('Parsed JSON array (3 items)\n[\n  1,\n  "x",\n  null\n]');
  for (const value of ['"text"', 'true', 'null', '12']) expect(await parse(value)).toBe(`Parsed JSON value\n${value}`);
  expect(await parse('{}')).toBe('Parsed JSON object (0 keys)\n{}');
  expect(await parse({ a: [1] })).toBe('Parsed JSON object (1 keys)\n{\n  "a": [\n    1\n  ]\n}');
  expect(await parse([{}])).toBe('Parsed JSON array (1 items)\n[\n  {}\n]');
  // A byte order mark at the beginning is not seen by anybody; anywhere else it is no JSON.
  expect(await parse('\uFEFF[12345678901234567890]')).toBe('Parsed JSON array (1 items)\n[\n  12345678901234567890\n]');
  expect(await parse('[1]\uFEFF')).toMatch(/^Error: error parsing JSON: /);
});

test('invalid or missing JSON is reported', async () => {
  expect(await tools.call('parse_json', { json: '{a}' })).toEqual({
    text: expect.stringMatching(/^Error: error parsing JSON: .+/),
    isError: true,
  });
  for (const bad of ['{"a":1,}', '[1,]', '01', '1 2', "{'a':1}", ' ', 'NaN', '{"a":12345678901234567890,}'])
    expect(await parse(bad), bad).toMatch(/^Error: error parsing JSON: /);
  expect(await query('{a}', '$.a')).toMatch(/^Error: error querying JSON: .+/);
  expect(await tools.text('parse_json', {})).toBe('Error: json string is required');
  expect(await parse('')).toBe('Error: json string is required');
  expect(await parse(null)).toBe('Error: json string is required');
  expect(await tools.text('query_json', { path: '$' })).toBe('Error: json string is required');
  expect(await tools.text('query_json', { json: '{}' })).toBe(isRequired('path'));
  expect(await tools.text('serialize_json', {})).toBe(isRequired('data'));
});

test('numbers that a double cannot hold keep their digits, others are as JSON.parse has them', async () => {
  const big =
    '{"id":12345678901234567890,"exact":9007199254740993,"tiny":0.12345678901234567890123,"huge":1e400,"one":1.0}';
  expect(await parse(big)).toBe(
    'Parsed JSON object (5 keys)\n{\n  "id": 12345678901234567890,\n  "exact": 9007199254740993,\n  "tiny": 0.12345678901234567890123,\n  "huge": 1e400,\n  "one": 1\n}',
  );
  expect(await parse('12345678901234567890')).toBe('Parsed JSON value\n12345678901234567890');
  expect(await query(big, '$.id')).toBe('12345678901234567890');
  expect(await query('[{"id":9007199254740993},{"id":9007199254740992}]', '$[?(@.id == 9007199254740993)]')).toBe(
    '{\n  "id": 9007199254740993\n}',
  );
});

test('duplicate keys, the order of keys and __proto__ are as JSON.parse has them, with and without long numbers', async () => {
  const text = '{"b":1,"__proto__":{"x":1},"a":2,"2":0,"1":0,"b":{"c":[]},"constructor":null}';
  for (const json of [text, text.replace('null', '12345678901234567890')]) {
    const expected = JSON.stringify(JSON.parse(text), null, 2);
    expect(await parse(json)).toBe(
      `Parsed JSON object (6 keys)\n${json === text ? expected : expected.replace('null', '12345678901234567890')}`,
    );
    expect(await query(json, '$.__proto__.x')).toBe('1');
    expect(await query(json, '$.toString')).toBe('null');
  }
});

test('any JSON text comes back as JSON.stringify would have it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), async (json) => {
      const [, ...lines] = (await parse(json)).split('\n');
      expect(lines.join('\n')).toBe(JSON.stringify(JSON.parse(json), null, 2));
    }),
    { numRuns: 200 },
  );
});

test('serialize_json writes the value itself; text stays text', async () => {
  expect(await serialize({ a: [1, 'x'] })).toBe('{"a":[1,"x"]}');
  expect(await serialize('{"a":1}')).toBe('"{\\"a\\":1}"');
  expect(await serialize('5')).toBe('"5"');
  expect(await serialize('')).toBe('""');
  expect(await serialize(null)).toBe('null');
  expect(await serialize(false)).toBe('false');
  expect(await serialize(JSON.parse('{"__proto__":1}'))).toBe('{"__proto__":1}');
  // What no JSON can carry comes from code that calls the tool; a result is a text all the same.
  for (const wordless of [() => 1, Symbol('x')]) expect(await serialize(wordless)).toBe('null');
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      expect(await serialize(value)).toBe(JSON.stringify(value));
    }),
    { numRuns: 200 },
  );
});

const USERS = '{"u":[{"n":"A","age":17},{"n":"B","age":20},{"n":"C"}],"a key":{"x.y":1},"nothing":null}';

test.each([
  ['$.u[-1].n', '"C"'],
  ['$.u[0]', '{\n  "n": "A",\n  "age": 17\n}'],
  ['u[1].n', '"B"'],
  ['.u[1].n', '"B"'],
  ["$['u'][1]['n']", '"B"'],
  ['$["a key"][\'x.y\']', '1'],
  ["['a key'].*", '1'],
  ['$.u[*].n', '[\n  "A",\n  "B",\n  "C"\n]'],
  ['$.u[*].age', '[\n  17,\n  20\n]'],
  ['$.zzz', 'null'],
  ['$.nothing', 'null'],
  ['$.u[3]', 'null'],
  ['$.u[-4]', 'null'],
  ['$.u.n', 'null'],
  ['$.u[?(@.age >= 18)].n', '"B"'],
  ['$.u[?(@.age < 18)].n', '"A"'],
  ['$.u[?(@.n != "A")].n', '[\n  "B",\n  "C"\n]'],
  ["$.u[?(@['n'] == 'C')].n", '"C"'],
  ['$.u[?@.n=="C"].n', '"C"'],
  ['$.u[ ?( @.age == 17 ) ] .n'.replace(' .', '.'), '"A"'],
  ['$.u[?(@.age == "17")]', 'null'],
  ['$.u[?(@.missing == null)]', 'null'],
])('query_json: %s', async (path, text) => {
  expect(await query(USERS, path)).toBe(text);
});

test('query_json takes parsed JSON, scalars and the whole', async () => {
  expect(await query({ u: [{ n: 'A' }, { n: 'B' }] }, '$.u[-1].n')).toBe('"B"');
  expect(await query('"text"', '$')).toBe('"text"');
  expect(await query('[3,8,5]', '$[?(@ > 4)]')).toBe('[\n  8,\n  5\n]');
  expect(await query('[true,false,null]', '$[?(@ == true)]')).toBe('true');
  expect(await query('{"a":1,"b":2}', '$.*')).toBe('[\n  1,\n  2\n]');
});

test.each([
  '$..n',
  '$.',
  '$.u[',
  '$.u[1',
  "$['a",
  '$[?(@.a)]',
  '$[?(@.a == b)]',
  '$[?(@.* == 1)]',
  '$[1:2]',
  '$[1,2]',
  '$ x',
  '$[?(@.a == (1))]',
])('query_json does not understand %s, and says where', async (path) => {
  expect(await query('{}', path)).toMatch(pathProblem);
});

test('deep nesting and long texts are rejected with readable errors', { timeout: 30_000 }, async () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  expect(await parse(deep)).toBe('Error: error parsing JSON: it is nested more than 1000 levels deep');
  expect(await parse(deep.replace('[]', '[12345678901234567890]'))).toContain('1000 levels');
  expect(await query(deep, '$[0]')).toBe('Error: error querying JSON: it is nested more than 1000 levels deep');
  expect(await serialize(JSON.parse(deep))).toContain(`${MAX_LEVELS} levels`);
  expect(await parse('['.repeat(900) + ']'.repeat(900))).toMatch(/^Parsed JSON array \(1 items\)\n\[\n {2}\[/);
  expect(await parse(`[${'"x",'.repeat(2_500_000)}1]`)).toMatch(/^Error: json is too long: /);
  const wide = `${'['.repeat(900)}${'1,'.repeat(400_000)}1${']'.repeat(900)}`;
  expect(await parse(wide)).toBe('Error: error parsing JSON: it would be too long when indented');
  expect(await query('{}', `$${'.a'.repeat(10_000)}`)).toContain('the most is 10000');
});
