import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toolsFor } from '../../../src-main/models/schema-transforms/tools-for.ts';
import { publishedServers } from '../../fixtures/published-tools/published-tools.ts';
import { geminiRefusals } from '../../fixtures/schema-acceptance.ts';
import { FAMILY, REFUSALS, SERVICES, type Service } from '../../fixtures/tool-refusals.ts';

type Json = Readonly<Record<string, unknown>>;
const source = (inputSchema: unknown) => ({ name: 'n', description: 'Does it.', inputSchema });
/** The schemas as they are sent. */
const sent = (service: Service, inputSchemas: readonly unknown[]): unknown =>
  JSON.parse(JSON.stringify(toolsFor(FAMILY[service], inputSchemas.map(source))));
const refusals = (service: Service, inputSchema: unknown) => REFUSALS[service](sent(service, [inputSchema]));

/** The schema of the one tool, as the service is given it. */
function madeOf(service: Service, inputSchema: unknown): Json {
  const family = FAMILY[service];
  if (family === 'anthropic') return toolsFor(family, [source(inputSchema)])[0]?.input_schema ?? {};
  if (family === 'openai') return toolsFor(family, [source(inputSchema)])[0]?.function.parameters ?? {};
  const { parameters } = toolsFor(family, [source(inputSchema)])[0]?.functionDeclarations[0] ?? {};
  return { ...(parameters ?? { type: 'object' }) };
}

const schemas = publishedServers.flatMap(({ tools }) => tools.map(({ inputSchema }) => inputSchema));

test('there are at least twenty servers', () => {
  expect(publishedServers.length).toBeGreaterThanOrEqual(20);
  expect(schemas.length).toBeGreaterThan(300);
});

describe.each(SERVICES)('%s', (service) => {
  test.each(publishedServers.map(({ package: name, version, tools }) => [`${name} ${version}`, tools] as const))(
    'accepts all tools of %s, with all their parameters',
    (_, tools) => {
      for (const { name, inputSchema } of tools) {
        expect(refusals(service, inputSchema), name).toEqual([]);
        const { properties, required } = madeOf(service, inputSchema);
        expect(Object.keys(Object(properties)), name).toEqual(
          expect.arrayContaining(Object.keys(Object(inputSchema.properties))),
        );
        if (Array.isArray(inputSchema.required))
          expect(new Set(Array.isArray(required) ? required : []), name).toEqual(new Set(inputSchema.required));
      }
    },
  );

  test('transforming a transformed schema changes nothing', () => {
    for (const schema of schemas) {
      const made = madeOf(service, schema);
      expect(madeOf(service, JSON.parse(JSON.stringify(made)))).toEqual(made);
    }
  });

  test('accepts them with anything put anywhere into them', () => {
    fc.assert(
      fc.property(fc.constantFrom(...schemas), fc.array(change, { minLength: 1, maxLength: 4 }), (schema, changes) => {
        const changed = changes.reduce<unknown>((each, { at, to }) => replaced(each, at, to), schema);
        expect(refusals(service, changed)).toEqual([]);
      }),
      { numRuns: 1_500 },
    );
  });
});

test('control: without the transformation, Gemini would refuse tools of most of these servers', () => {
  const refusedAsTheyAre = publishedServers.filter(({ tools }) =>
    tools.some(
      ({ inputSchema: parameters }) =>
        geminiRefusals([{ functionDeclarations: [{ name: 'n', description: 'Does it.', parameters }] }]).length > 0,
    ),
  );
  expect(refusedAsTheyAre.length).toBeGreaterThan(publishedServers.length / 2);
});

/** `at` is a position among all places of the schema, as a part of 1. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  to: fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      '',
      [],
      {},
      'object',
      ['object', 'null'],
      { type: 'null' },
      { $ref: '#' },
      { $ref: '#/properties/a' },
      { const: 1 },
      { enum: [1, null] },
      { enum: [] },
      { oneOf: [{ type: 'string' }, { type: 'array' }] },
      { allOf: [{ $ref: '#' }] },
      { type: 'array' },
      { type: 'object', required: ['x'] },
      { items: [{ type: 'string' }] },
      { exclusiveMinimum: true },
    ),
    fc.jsonValue({ maxDepth: 2 }),
  ),
});

/** A copy with one value of it replaced. */
function replaced(schema: unknown, at: number, to: unknown): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(schema ?? null));
  const places: (readonly [object, string])[] = [];
  const collect = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    for (const key of Object.keys(node)) {
      places.push([node, key]);
      collect(Reflect.get(node, key));
    }
  };
  collect(copy);
  const place = places[Math.floor(at * places.length)];
  if (place === undefined) return to;
  Reflect.set(...place, to);
  return copy;
}
