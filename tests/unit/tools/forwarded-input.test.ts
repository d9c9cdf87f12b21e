import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../src-main/tools/contract.ts';
import { type InputRules, validateInput } from '../../../src-main/tools/registry/validation.ts';

function sent(inputSchema: JsonSchema, input: unknown): unknown {
  const rules: InputRules = {
    inputSchema,
    parameterAliases: {},
    errorPrefix: 'Error: ',
    emptyAllowed: [],
    requiredTexts: {},
    isForwarded: true,
  };
  const result = validateInput(rules, input);
  return result.ok ? result.input : result.text;
}

/** What a parameter `p` of this schema is sent. */
function sentAs(schema: unknown, value: unknown, document: JsonSchema = {}): unknown {
  const result = sent({ ...document, type: 'object', properties: { p: schema } }, { p: value });
  return typeof result === 'string' ? result : Object(result).p;
}

test('nothing is added: a default of the schema is an annotation', () => {
  const schema = {
    type: 'object',
    properties: {
      block: { type: 'string' },
      archived: { type: 'boolean', default: true },
      options: { type: 'object', properties: { namespace: { type: 'string', default: 'default' } } },
    },
  };
  expect(sent(schema, { block: 'b', options: {} })).toEqual({ block: 'b', options: {} });
  expect(sent(schema, undefined)).toEqual({});
});

test('what a schema does not forbid is sent', () => {
  for (const schema of [
    { type: 'object' },
    {},
    { type: 'object', properties: { a: { type: 'string' } } },
    { oneOf: [{ properties: { x: { type: 'number' } }, required: ['x'] }, { required: ['y'] }] },
    { anyOf: [{ type: 'object', properties: { x: { type: 'number' } } }, { type: 'object' }] },
    { $ref: '#/$defs/In', $defs: { In: { type: 'object', properties: { x: { type: 'number' } } } } },
    { patternProperties: { '^x': { type: 'number' } }, additionalProperties: false },
    { type: 'object', additionalProperties: { type: 'number' } },
    { allOf: [{ properties: { x: { type: 'number' } } }], unevaluatedProperties: false },
    { type: 'object', required: true, properties: 7, additionalProperties: 'yes' },
  ])
    expect(sent(schema, { x: 1 }), JSON.stringify(schema)).toEqual({ x: 1 });
});

test('a parameter that the schema forbids is named, with the one that was probably meant', () => {
  const closed = (properties: object) => ({ type: 'object', properties, additionalProperties: false });
  const editFile = closed({ path: { type: 'string' }, dryRun: { type: 'boolean' } });
  expect(sent(editFile, { path: 'a', dry_run: true })).toBe('Error: unknown parameter dry_run (did you mean dryRun?)');
  expect(sent(editFile, { path: 'a', DryRun: true })).toBe('Error: unknown parameter DryRun (did you mean dryRun?)');
  expect(sent(editFile, { path: 'a', dryrn: true })).toBe('Error: unknown parameter dryrn (did you mean dryRun?)');
  expect(sent(editFile, { path: 'a', recursive: true })).toBe('Error: unknown parameter recursive');
  expect(sent(editFile, { path: 'a', dryRun: true, dry_run: true })).toBe('Error: unknown parameter dry_run');
  expect(sent(closed({ edits: closed({ oldText: {} }) }), { edits: { old_text: 'x' } })).toBe(
    'Error: unknown parameter edits.old_text (did you mean oldText?)',
  );
  expect(sent({ properties: { a: false } }, { a: 1 })).toBe('Error: unknown parameter a');
  expect(sent({ patternProperties: { '^x': {} }, additionalProperties: false }, { y: 1 })).toBe(
    'Error: unknown parameter y',
  );
  const parts = { allOf: [{ properties: { limit: {} } }], unevaluatedProperties: false };
  expect(sent(parts, { limits: 1 })).toBe('Error: unknown parameter limits (did you mean limit?)');
});

test('a pattern that takes for ever is left to the server', () => {
  const schema = { patternProperties: { '^(a+)+$': { type: 'number' } }, additionalProperties: false };
  const input = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${'a'.repeat(40)}!${at}`, 'x']));
  expect(sent(schema, input)).toEqual(input);
});

test('a required parameter that is absent is named; an empty text is a value', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
  expect(sent(schema, {})).toBe('Error: a is required');
  expect(sent(schema, { a: '' })).toEqual({ a: '' });
  expect(sentAs({ type: 'object', required: ['x'] }, {})).toBe('Error: p.x is required');
});

test('null is sent where the schema allows it, and is a wrong type elsewhere', () => {
  const allowing = [
    { type: ['string', 'null'] },
    { anyOf: [{ type: 'string', enum: ['dark'] }, { type: 'null' }] },
    { oneOf: [{ type: 'null' }, { type: 'object' }] },
    { type: 'string', nullable: true },
    { type: 'string', enum: ['a'], nullable: true },
    { enum: ['a', null] },
    { const: null },
    {},
    true,
    { $ref: '#/nowhere' },
  ];
  for (const schema of allowing) expect(sentAs(schema, null), JSON.stringify(schema)).toBeNull();
  expect(sentAs({ type: 'string' }, null)).toBe('Error: p must be a string');
  expect(sentAs({ type: 'boolean' }, null)).toBe('Error: p must be true or false');
  expect(sentAs({ type: 'array', items: {} }, null)).toBe('Error: p must be a list');
  expect(sentAs({ enum: ['a'] }, null)).toBe('Error: p must be one of: a');
  const required = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
  expect(sent(required, { a: null })).toBe('Error: a must be a number');
});

test('what can be converted without loss is converted', () => {
  expect(sentAs({ type: 'number' }, '7')).toBe(7);
  expect(sentAs({ type: 'integer' }, '-12')).toBe(-12);
  expect(sentAs({ type: 'number' }, '1.50')).toBe(1.5);
  expect(sentAs({ type: 'integer' }, '9007199254740993')).toBe(9007199254740993n);
  expect(sentAs({ type: 'object' }, '{"id": 9007199254740993}')).toEqual({ id: 9007199254740993n });
  expect(sentAs({ type: 'boolean' }, 'true')).toBe(true);
  expect(sentAs({ type: 'boolean' }, 'False')).toBe(false);
  expect(sentAs({ type: 'object' }, '{"age":3}')).toEqual({ age: 3 });
  expect(sentAs({ type: 'array', items: { type: 'number' } }, '[1,"2"]')).toEqual([1, 2]);
  expect(sentAs({ type: 'array', items: { type: 'string' } }, 'one')).toEqual(['one']);
  expect(sentAs({ type: 'array', items: { type: 'string' } }, '[1]')).toEqual(['[1]']);
  expect(sentAs({ type: 'array', items: { type: 'number' } }, '7')).toEqual([7]);
  expect(sentAs({ type: 'array' }, { a: 1 })).toEqual([{ a: 1 }]);
  expect(sentAs({ type: 'string', enum: ['GET', 'POST'] }, 'post')).toBe('POST');
  expect(sentAs({ enum: [3, true] }, '3')).toBe(3);
  expect(sentAs({ anyOf: [{ type: 'integer' }, { type: 'null' }] }, '4')).toBe(4);
  expect(sentAs({ type: ['integer', 'null'] }, '4')).toBe(4);
  expect(sentAs({ type: 'array', items: [{ type: 'string' }, { type: 'number' }] }, ['a', '5'])).toEqual(['a', 5]);
  expect(sentAs({ prefixItems: [{ type: 'string' }, { type: 'number' }] }, ['a', '5', '6'])).toEqual(['a', 5, '6']);
});

test('a value of a type that the schema allows is never converted', () => {
  expect(sentAs({ type: ['number', 'string'] }, '5')).toBe('5');
  expect(sentAs({ anyOf: [{ type: 'number' }, { type: 'string' }] }, '5')).toBe('5');
  expect(sentAs({ anyOf: [{ type: 'array' }, { type: 'string' }] }, '[1]')).toBe('[1]');
  expect(sentAs({ type: 'string', contentMediaType: 'application/json' }, '{"a": 1}')).toBe('{"a": 1}');
  expect(sentAs({ enum: ['a', 'A'] }, 'A')).toBe('A');
  expect(sentAs({ type: 'number', minimum: 5, maximum: 10 }, 3)).toBe(3);
  expect(sentAs({ type: 'string', pattern: '^a', maxLength: 1, format: 'uri' }, 'xyz')).toBe('xyz');
  expect(sentAs({ type: 'integer' }, 2 ** 53 + 2)).toBe(2 ** 53 + 2);
  for (const type of ['integer', 'number', ['integer', 'null']])
    expect(sentAs({ type }, 9007199254740993n)).toBe(9007199254740993n);
  expect(sentAs({ type: 'string' }, 9007199254740993n)).toBe('Error: p must be a string');
});

test('what would lose something, or means something else, is an error', () => {
  for (const value of ['yes', 1, 0, null, '', 'client', {}, []])
    expect(sentAs({ type: 'boolean' }, value), String(value)).toBe('Error: p must be true or false');
  for (const value of ['5px', '007', '0x10', '1e999', '0.12345678901234567890', true, {}, ['1'], ''])
    expect(sentAs({ type: 'number' }, value), String(value)).toBe('Error: p must be a number');
  for (const value of ['7.5', 7.5]) expect(sentAs({ type: 'integer' }, value)).toBe('Error: p must be a whole number');
  for (const value of ['{age: 3}', '[1]', 'x', 5, []])
    expect(sentAs({ type: 'object' }, value), String(value)).toBe('Error: p must be an object');
  for (const value of [5, true, { name: 'prod' }, ['x']])
    expect(sentAs({ type: 'string' }, value)).toBe('Error: p must be a string');
  expect(sentAs({ type: 'string', enum: ['ab', 'AB'] }, 'Ab')).toBe('Error: p must be one of: ab, AB');
  expect(sentAs({ const: 3 }, 4)).toBe('Error: p must be one of: 3');
  expect(sentAs({ type: ['string', 'number'] }, true)).toBe('Error: p must be a string or a number');
  expect(sentAs({ type: 'array', items: { type: 'number' } }, ['x'])).toBe('Error: p[0] must be a number');
  expect(sentAs({ type: 'array', items: false }, [1])).toBe('Error: p[0] is not allowed');
});

test('of a union, the misfit is named in the alternative that was meant', () => {
  const block = (kind: string, more: object) => ({
    type: 'object',
    properties: { kind: { const: kind }, ...more },
    required: ['kind', ...Object.keys(more)],
  });
  const union = { oneOf: [block('text', { text: { type: 'string' } }), block('size', { size: { type: 'number' } })] };
  expect(sentAs(union, { kind: 'size', size: '3' })).toEqual({ kind: 'size', size: 3 });
  expect(sentAs(union, { kind: 'size', size: {} })).toBe('Error: p.size must be a number');
  expect(sentAs(union, { kind: 'text' })).toBe('Error: p.text is required');
  expect(sentAs({ anyOf: [{ type: 'string' }, { type: 'null' }] }, 5)).toBe('Error: p must be a string or null');
  expect(sentAs({ anyOf: [{ const: 'a' }, { const: 'b' }] }, 'c')).toBe('Error: p must be one of: a, b');
});

test('references are followed, with what stands beside them, and circles end', () => {
  const document = {
    $defs: {
      Node: { type: 'object', properties: { value: { type: 'number' }, next: { $ref: '#/$defs/Node' } } },
      Loop: { $ref: '#/$defs/Loop' },
      Twice: { allOf: [{ $ref: '#/$defs/Twice' }, { $ref: '#/$defs/Twice' }] },
      'a b': { type: 'number' },
    },
  };
  const tree = { value: '1', next: { value: '2' } };
  expect(sentAs({ $ref: '#/$defs/Node' }, tree, document)).toEqual({ value: 1, next: { value: 2 } });
  expect(sentAs({ $ref: '#/$defs/a%20b' }, '3', document)).toBe(3);
  expect(sentAs({ $ref: '#/$defs/Node', required: ['value'] }, {}, document)).toBe('Error: p.value is required');
  for (const name of ['Loop', 'Twice']) expect(sentAs({ $ref: `#/$defs/${name}` }, 'x', document)).toBe('x');
});

test('names that objects inherit are ordinary parameters', () => {
  const input: unknown = JSON.parse('{"__proto__":{"a":"1"},"constructor":"b"}');
  const schema = JSON.parse('{"properties":{"__proto__":{"properties":{"a":{"type":"number"}}}}}') as JsonSchema;
  expect(JSON.stringify(sent(schema, input))).toBe('{"__proto__":{"a":1},"constructor":"b"}');
});

test('any schema and any value together give an answer, and what was written is never changed', () => {
  const keyword = fc.constantFrom('a', 'b', '__proto__', 'constructor');
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'schema' },
      fc.boolean(),
      fc.record(
        {
          type: fc.oneof(
            fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'odd'),
            fc.jsonValue(),
          ),
          enum: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
          const: fc.jsonValue(),
          nullable: fc.jsonValue(),
          $ref: fc.constantFrom('#', '#/properties/a', '#/anyOf/0', '#/%', 'http://x'),
          properties: fc.oneof(fc.dictionary(keyword, tie('schema')), fc.jsonValue()),
          patternProperties: fc.oneof(fc.dictionary(fc.constantFrom('^a', '(', 'b$'), tie('schema')), fc.jsonValue()),
          required: fc.oneof(fc.array(keyword), fc.jsonValue()),
          items: fc.oneof(fc.array(tie('schema'), { maxLength: 2 }), tie('schema')),
          anyOf: fc.oneof(fc.array(tie('schema'), { maxLength: 3 }), fc.jsonValue()),
          oneOf: fc.array(tie('schema'), { maxLength: 2 }),
          allOf: fc.array(tie('schema'), { maxLength: 2 }),
          additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
          unevaluatedProperties: fc.boolean(),
          default: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
    ),
  }));
  const input = fc.dictionary(keyword, fc.jsonValue());
  fc.assert(
    fc.property(schema, input, (inputSchema, given) => {
      const before = JSON.stringify(given);
      const result = sent(Object(inputSchema), given);
      expect(JSON.stringify(given)).toBe(before);
      if (typeof result === 'string') expect(result).toMatch(/^Error: ./);
      else expect(Object.keys(Object(result))).toEqual(Object.keys(given));
    }),
    { numRuns: 500 },
  );
});

test('a misfit names what was written, and all that may be written instead', () => {
  const texts = { type: 'array', items: { type: 'string' } };
  expect(sentAs(texts, 7)).toBe('Error: p must be a list');
  expect(sentAs(texts, [7])).toBe('Error: p[0] must be a string');
  expect(sentAs(texts, '[7]')).toEqual(['[7]']);
  expect(sentAs({ anyOf: [texts, { type: 'string' }] }, 7)).toBe('Error: p must be a list or a string');
  const edits = { type: 'array', items: { type: 'object', required: ['text'] } };
  expect(sentAs(edits, {})).toBe('Error: p[0].text is required');
  const kinds = ['a', 'b'].map((kind) => ({ properties: { kind: { const: kind }, of: { type: 'string' } } }));
  expect(sentAs({ oneOf: kinds }, { kind: 'c' })).toBe('Error: p.kind must be one of: a, b');
  expect(sentAs({ oneOf: kinds }, { kind: 'b', of: 1 })).toBe('Error: p.of must be a string');
});
