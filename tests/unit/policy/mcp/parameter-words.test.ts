import { expect, test } from 'vitest';
import { parametersInWords } from '../../../../src-main/policy/mcp/parameter-words.ts';

const typeOf = (schema: unknown) => parametersInWords({ properties: { p: schema } })[0]?.type;

test('parameters are named with their type, whether they are required, and what they are', () => {
  const properties = { path: { type: 'string', description: 'Where' }, all: { type: 'boolean' } };
  expect(parametersInWords({ type: 'object', properties, required: ['path'] })).toEqual([
    { name: 'path', type: 'text', isRequired: true, description: 'Where' },
    { name: 'all', type: 'yes or no', isRequired: false, description: '' },
  ]);
});

test.each([
  [{ type: 'integer' }, 'whole number'],
  [{ type: 'array', items: { type: 'string' } }, 'list of text'],
  [{ type: 'array' }, 'list'],
  [{ type: 'object' }, 'group of values'],
  [{ type: ['string', 'null'] }, 'text or nothing'],
  [{ anyOf: [{ type: 'number' }, { type: 'string' }] }, 'number or text'],
  [{ enum: ['a', 1] }, 'one of "a", 1'],
  [{ enum: [1, 2, 3, 4, 5, 6, 7] }, 'one of 1, 2, 3, 4, 5, 6, …'],
  [{ const: 'x' }, 'one of "x"'],
  [{ type: 'toString' }, 'anything'],
  [{ type: 5, enum: 'no list' }, 'anything'],
  [true, 'anything'],
])('%j is %s', (schema, words) => {
  expect(typeOf(schema)).toBe(words);
});

test('a hostile schema is described worse, never for long', () => {
  let deep: unknown = { type: 'string' };
  for (let depth = 0; depth < 100_000; depth += 1) deep = { type: 'array', items: deep };
  expect(typeOf(deep)).toBe('list of list of list of list of anything');
  expect(typeOf({ enum: ['x'.repeat(1_000_000)] })?.length).toBeLessThan(200);
  for (const schema of [null, 'text', [], { properties: [] }, { properties: null }, { required: 'p' }])
    expect(parametersInWords(schema)).toEqual([]);
});
