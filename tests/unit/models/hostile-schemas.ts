import fc from 'fast-check';

const KEYWORDS = [
  'type',
  'properties',
  'items',
  'prefixItems',
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'required',
  'enum',
  'const',
  '$ref',
  '$defs',
  'definitions',
  '$schema',
  '$id',
  'default',
  'title',
  'description',
  'format',
  'nullable',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'minLength',
  'additionalProperties',
  'patternProperties',
  'unevaluatedProperties',
  'propertyNames',
  'contains',
  'uniqueItems',
  '__proto__',
  'constructor',
  'toString',
  'x-vendor',
];
const NAMES = ['a', 'b', 'type', '__proto__', 'constructor', 'with blank', '$select', '', 'ü'];
const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null', 'any', 'OBJECT'];
const REFERENCES = [
  '#',
  '#/$defs/a',
  '#/$defs/b',
  '#/properties/a',
  '#/definitions/a',
  '#/nope',
  '#/%ZZ',
  'https://x.example/s',
];

/** JSON values that are, or nearly are, or do not resemble JSON Schemas: what servers send, and what nobody should. */
export const anySchema: fc.Arbitrary<unknown> = fc.letrec((tie) => {
  const schema = tie('schema');
  const type = fc.oneof(fc.constantFrom(...TYPES), fc.array(fc.constantFrom(...TYPES), { maxLength: 3 }));
  const map = fc.array(fc.tuple(fc.constantFrom(...NAMES), schema), { maxLength: 3 }).map(asRecord);
  const list = fc.array(schema, { maxLength: 3 });
  const fitting = fc.oneof(
    fc.tuple(fc.constant('type'), type),
    fc.tuple(fc.constantFrom('properties', '$defs', 'definitions', 'patternProperties'), map),
    fc.tuple(fc.constantFrom('anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'), list),
    fc.tuple(fc.constantFrom('items', 'additionalProperties', 'not', 'contains'), schema),
    fc.tuple(fc.constant('$ref'), fc.constantFrom(...REFERENCES)),
    fc.tuple(fc.constant('required'), fc.array(fc.constantFrom(...NAMES), { maxLength: 3 })),
    fc.tuple(fc.constant('enum'), fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 })),
    fc.tuple(fc.constantFrom('const', 'default'), fc.jsonValue({ maxDepth: 1 })),
    fc.tuple(fc.constantFrom('minimum', 'exclusiveMaximum', 'minItems', 'maxLength', 'multipleOf'), fc.double()),
  );
  const wrong = fc.tuple(fc.constantFrom(...KEYWORDS), fc.oneof(fc.jsonValue({ maxDepth: 1 }), schema));
  return {
    schema: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.oneof(
        fc.boolean(),
        fc.constant({}),
        fc.jsonValue({ maxDepth: 1 }),
        type.map((each) => ({ type: each })),
      ),
      fc.array(fc.oneof({ weight: 5, arbitrary: fitting }, wrong), { maxLength: 6 }).map(asRecord),
    ),
  };
}).schema;

/** Sizes and shapes that take much time or stack where nobody counts. */
export function monstrousSchemas(): readonly unknown[] {
  let deep: unknown = { type: 'string' };
  for (let depth = 0; depth < 3_000; depth++)
    deep = { type: 'object', properties: { a: deep }, allOf: [{ items: {} }] };
  const doubling = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/n0' } },
    allOf: [{ $ref: '#/$defs/n0' }],
    $defs: Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => {
        const next = { $ref: `#/$defs/n${n + 1}` };
        return [`n${n}`, { allOf: [next, next], anyOf: [next, next], properties: { a: next, b: next } }];
      }),
    ),
  };
  const members = (made: (n: number) => readonly [string, unknown], count = 10_000) =>
    asRecord(Array.from({ length: count }, (_, n) => made(n)));
  const chain = (link: (next: unknown, n: number) => unknown) => ({
    properties: { a: { $ref: '#/$defs/n0' } },
    $defs: members((n) => [`n${n}`, link({ $ref: `#/$defs/n${n + 1}` }, n)]),
  });
  const everyPart = Array.from({ length: 10_000 }, (_, n) => ({ $ref: `#/$defs/n${n}` }));
  const parts = { allOf: everyPart, $defs: members((n) => [`n${n}`, { properties: { [`p${n}`]: {} } }]) };
  const listed = (from: number) => Array.from({ length: 50_000 }, (_, n) => `v${from + n}`);
  const long = [
    chain((next) => next),
    chain((next, n) => ({ allOf: [next], properties: { [`p${n}`]: {} } })),
    chain((next) => ({ anyOf: [next] })),
    parts,
    { properties: { x: parts }, $defs: parts.$defs },
    { properties: { x: { enum: listed(0), allOf: [{ enum: listed(9) }] } } },
    { properties: members((n) => [`p${n}`, { $ref: '#/$defs/e' }]), $defs: { e: { enum: listed(0) } } },
    { properties: { x: { allOf: Array.from({ length: 10_000 }, () => ({ properties: { a: { minLength: 1 } } })) } } },
    { properties: members((n) => [`p${n}`, { type: 'string' }], 20_000) },
  ];
  const selfish = { allOf: Array.from({ length: 100 }, () => ({ $ref: '#/$defs/a' })) };
  const wide = { anyOf: Array.from({ length: 2_000 }, (_, n) => ({ properties: { [`p${n}`]: { anyOf: [{}, {}] } } })) };
  return [...long, deep, doubling, { ...selfish, $defs: { a: selfish } }, wide, { properties: { x: wide } }];
}

function asRecord(members: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [key, value] of members)
    Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true });
  return made;
}
