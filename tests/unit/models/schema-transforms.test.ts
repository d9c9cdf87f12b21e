import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anthropicToolResult } from '../../../src-main/models/schema-transforms/anthropic.ts';
import { geminiToolResult } from '../../../src-main/models/schema-transforms/gemini.ts';
import { openAiToolResult, toWholeTool } from '../../../src-main/models/schema-transforms/openai.ts';
import { type SchemaFamily, toolsFor } from '../../../src-main/models/schema-transforms/tools-for.ts';
import { builtInTools } from '../../../src-main/tools/built-in-tools.ts';
import { refusalOf } from '../../fixtures/messages-api/refusals.ts';
import { geminiRefusals, openAiRefusals } from '../../fixtures/schema-acceptance.ts';
import { anySchema, monstrousSchemas } from './hostile-schemas.ts';

const REFUSALS: Record<SchemaFamily, (tools: unknown) => readonly unknown[]> = {
  anthropic: (tools) => {
    const body = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'x' }], tools };
    return [refusalOf(body, '2026-10-21', {}, [])].filter((refusal) => refusal !== undefined);
  },
  openai: openAiRefusals,
  gemini: geminiRefusals,
};
const FAMILIES = ['anthropic', 'openai', 'gemini'] as const;

function refusals(family: SchemaFamily, inputSchema: unknown, description = 'Does it.'): readonly unknown[] {
  const made = toolsFor(family, [{ name: 'n', description, inputSchema }]);
  return REFUSALS[family](JSON.parse(JSON.stringify(made)));
}

const openAi = (inputSchema: unknown, description = 'Does it.') =>
  toolsFor('openai', [{ name: 'n', description, inputSchema }])[0]?.function;
const gemini = (inputSchema: unknown) =>
  toolsFor('gemini', [{ name: 'n', description: 'Does it.', inputSchema }])[0]?.functionDeclarations[0];
/** The schema of one parameter, as Gemini is given it. */
const geminiOf = (property: unknown, document: object = {}) =>
  gemini({ type: 'object', properties: { p: property }, ...document })?.parameters?.properties?.p;

/** As a program would send it that changes nothing. */
const UNTRANSFORMED: Record<SchemaFamily, (inputSchema: unknown) => unknown> = {
  anthropic: (input_schema) => [{ name: 'n', description: 'Does it.', input_schema }],
  openai: (parameters) => [{ type: 'function', function: { name: 'n', description: 'Does it.', parameters } }],
  gemini: (parameters) => [{ functionDeclarations: [{ name: 'n', description: 'Does it.', parameters }] }],
};

describe('any family', () => {
  test.each(FAMILIES)('%s refuses most of these schemas as they are', (family) => {
    const sources = fc.sample(anySchema, { numRuns: 500, seed: 1 });
    const refused = sources.filter((inputSchema) => REFUSALS[family](UNTRANSFORMED[family](inputSchema)).length > 0);
    expect(refused.length).toBeGreaterThan(300);
    const objects = fc.sample(
      anySchema.map((p) => ({ type: 'object', properties: { p } })),
      { numRuns: 500, seed: 1 },
    );
    const kinds = new Set(
      objects
        .flatMap((each) => REFUSALS[family](UNTRANSFORMED[family](each)))
        .map((text) => String(text).replace(/^.*: /, '')),
    );
    expect(kinds.size, [...kinds].join('\n')).toBeGreaterThanOrEqual({ anthropic: 0, openai: 5, gemini: 12 }[family]);
  });

  test.each(FAMILIES)('%s accepts what is made of any JSON value at all, and the source stays as it was', (family) => {
    fc.assert(
      fc.property(anySchema, fc.string(), (inputSchema, description) => {
        const before = JSON.stringify(inputSchema);
        expect(refusals(family, inputSchema, description)).toEqual([]);
        expect(JSON.stringify(inputSchema)).toBe(before);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each(FAMILIES)('%s accepts schemas that are deep, wide, or refer to themselves', (family) => {
    for (const schema of monstrousSchemas()) expect(refusals(family, schema)).toEqual([]);
  });

  test.each(FAMILIES)('%s accepts every built-in tool, with all its parameters', (family) => {
    const sources = builtInTools.map(({ tool }) => tool);
    const made = toolsFor(family, sources);
    expect(REFUSALS[family](JSON.parse(JSON.stringify(made)))).toEqual([]);
    for (const { name, inputSchema } of sources)
      for (const parameter of Object.keys(Object(inputSchema.properties)))
        expect(JSON.stringify(made), name).toContain(`${JSON.stringify(parameter)}:`);
  });

  test('a parameter called __proto__ is a parameter', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
    );
    for (const family of FAMILIES)
      expect(JSON.stringify(toolsFor(family, [{ name: 'n', description: 'd', inputSchema: schema }]))).toContain(
        '"__proto__":{"type":"string"}',
      );
  });

  test('parameters that the root takes over from what it refers to stay', () => {
    const $defs = { Base: { properties: { id: { type: 'string' } }, required: ['id'] } };
    const inputSchema = { $defs, allOf: [{ $ref: '#/$defs/Base' }, { properties: { name: { type: 'string' } } }] };
    for (const parameters of [openAi(inputSchema)?.parameters, gemini(inputSchema)?.parameters])
      expect(parameters).toMatchObject({ properties: { id: {}, name: {} }, required: ['id'] });
  });
});

describe('OpenAI', () => {
  test('a valid schema is passed on unchanged, without strict', () => {
    const parameters = {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'string' } } },
      required: ['a'],
    };
    expect(toolsFor('openai', [{ name: 'n', description: 'Does it.', inputSchema: parameters }])).toEqual([
      { type: 'function', function: { name: 'n', description: 'Does it.', parameters } },
    ]);
  });

  test('every array has items, also one of several types and one that was a tuple', () => {
    const schema = {
      properties: {
        bare: { type: 'array' },
        maybe: { type: ['array', 'null'] },
        any: { type: 'array', items: true },
        pair: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }] },
        closed: { type: 'array', prefixItems: [{ type: 'number' }], items: false },
        old: { type: 'array', items: [{ type: 'number' }] },
        deep: { anyOf: [{ type: 'array' }, { type: 'string' }] },
      },
    };
    expect(openAi(schema)?.parameters.properties).toEqual({
      bare: { type: 'array', items: {} },
      maybe: { type: ['array', 'null'], items: {} },
      any: { type: 'array', items: {} },
      pair: { type: 'array', items: { anyOf: [{ type: 'number' }, { type: 'string' }] } },
      closed: { type: 'array', items: { type: 'number' } },
      old: { type: 'array', items: { type: 'number' } },
      deep: { anyOf: [{ type: 'array', items: {} }, { type: 'string' }] },
    });
  });

  test('combinators at the root are described in words', () => {
    const made = openAi({ anyOf: [{ properties: { id: { type: 'string' } } }], not: { required: ['x'] } });
    expect(made?.parameters).toEqual({ type: 'object', properties: { id: { type: 'string' } } });
    expect(made?.description).toMatch(
      /^Does it\.\n\nThe input must match at least one .*\n\nThe input must fit .*"not"/,
    );
  });

  test('a description is at most 1,024 characters long, and never empty', () => {
    expect(openAi({}, `${'x'.repeat(1022)}😀x`)?.description).toBe(`${'x'.repeat(1022)}…`);
    expect(openAi({}, ' ')?.description).toBe('n');
  });

  test('a description that is too long ends behind a sentence, else behind a word, and says that it goes on', () => {
    const sentences = `${'It reads files. '.repeat(63)}Then it stops, which takes some time.`;
    expect(openAi({}, sentences)?.description).toBe(`${'It reads files. '.repeat(63)}…`);
    const list = `Tools:\n${'- one more of them\n'.repeat(60)}`;
    expect(openAi({}, list)?.description).toMatch(/^Tools:\n(?:- one more of them\n)+- one more of them …$/);
    expect(openAi({}, 'wörter '.repeat(200))?.description).toMatch(/^(?:wörter )+wörter…$/);
    expect(openAi({}, `Short. ${'x'.repeat(2_000)}`)?.description).toMatch(/^Short\. x+…$/);
    const [whole] = [{ name: 'n', description: sentences, inputSchema: {} }].map(toWholeTool);
    expect(whole?.function.description).toBe(sentences);
  });

  test('references stay where they lead somewhere, and go where they do not', () => {
    const $defs = {
      Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } },
      Loop: { $ref: '#/$defs/Loop' },
    };
    const dead = { properties: { a: { $ref: '#/$defs/Node' }, b: { $ref: '#/$defs/Loop' }, c: { $ref: '#/nope' } } };
    expect(openAi({ ...dead, $defs })?.parameters).toMatchObject({
      properties: { a: { $ref: '#/$defs/Node' }, b: {}, c: {} },
    });
    expect(openAi({ ...dead, $defs })?.parameters.properties).not.toHaveProperty('b.$ref');
  });

  test('a picture of a result is a part of it, if the API takes it', () => {
    const image = (mediaType: string, data = 'QUJD') => ({ type: 'image', mediaType, data }) as const;
    const block = { type: 'tool_result', toolUseId: 'c1', content: 'text', isError: false } as const;
    const sent = (...images: ReturnType<typeof image>[]) => anthropicToolResult({ ...block, media: images }).content;
    const part = (media_type: string) => ({ type: 'image', source: { type: 'base64', media_type, data: 'QUJD' } });
    expect(sent(image('image/png'), image('image/jpg'))).toEqual([
      { type: 'text', text: 'text' },
      part('image/png'),
      part('image/jpeg'),
    ]);
    const large = image('image/png', 'A'.repeat(5 * 1024 * 1024 + 1));
    expect(sent(image('image/svg+xml'), image('image/png', 'no base64'), image('image/png', ''), large)).toBe('text');
    expect(anthropicToolResult({ ...block, isError: true, media: [image('image/png')] }).content).toBe('text');
  });

  test('a result is a message of the role tool', () => {
    const block = { type: 'tool_result', toolUseId: 'c1', content: 'text', isError: true } as const;
    expect(openAiToolResult(block)).toEqual({ role: 'tool', tool_call_id: 'c1', content: 'text' });
    expect(anthropicToolResult(block)).toEqual({
      type: 'tool_result',
      tool_use_id: 'c1',
      content: 'text',
      is_error: true,
    });
  });
});

const ANY_VALUE = {
  anyOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'object' },
    { type: 'array', items: { type: 'string' } },
  ],
};

describe('Gemini', () => {
  test('a map at the root is described in words', () => {
    expect(gemini({ type: 'object', additionalProperties: { type: 'integer' } })).toEqual({
      name: 'n',
      description: 'Does it.\n\nAny other names may be used: each value is an integer.',
    });
  });

  test('a tool without parameters has no parameters', () => {
    for (const nothing of [{}, null, true, { type: 'object', properties: {} }, { type: 'object' }])
      expect(gemini(nothing)).toEqual({ name: 'n', description: 'Does it.' });
    expect(toolsFor('gemini', [])).toEqual([]);
  });

  test.each<[string, unknown, unknown]>([
    ['one type or null', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
    ['a type beside null', { anyOf: [{ type: 'number' }, { type: 'null' }] }, { type: 'number', nullable: true }],
    ['null alone', { type: 'null' }, { type: 'string', nullable: true }],
    [
      'several types',
      { type: ['string', 'number'], minimum: 1 },
      { anyOf: [{ type: 'string' }, { type: 'number', minimum: 1 }] },
    ],
    ['const', { const: 'a' }, { type: 'string', enum: ['a'] }],
    ['enum of numbers', { type: 'integer', enum: [1, 2] }, { type: 'string', enum: ['1', '2'] }],
    ['enum with null and nothing', { enum: ['a', '', null] }, { type: 'string', nullable: true, enum: ['a'] }],
    ['constants to choose from', { oneOf: [{ const: 'a' }, { const: 'b' }] }, { type: 'string', enum: ['a', 'b'] }],
    [
      'oneOf',
      { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
      { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
    ],
    ['array without items', { type: 'array' }, { type: 'array', items: { type: 'string' } }],
    ['tuple', { type: 'array', items: [{ type: 'number' }] }, { type: 'array', items: { type: 'number' } }],
    ['nothing at all', {}, ANY_VALUE],
    ['any value', true, ANY_VALUE],
    ['a list of anything', { type: 'array', items: {} }, { type: 'array', items: ANY_VALUE }],
    ['any text', { pattern: '^a' }, { type: 'string', description: 'Must match the regular expression "^a".' }],
    ['an object of anything', { type: 'object', additionalProperties: true }, { type: 'object' }],
    ['properties without a type', { properties: { a: {} } }, { type: 'object', properties: { a: ANY_VALUE } }],
    ['properties on a text', { type: 'string', properties: { a: {} }, required: ['a'] }, { type: 'string' }],
    [
      'required that is not there',
      { type: 'object', properties: { a: {} }, required: ['b'] },
      { type: 'object', properties: { a: ANY_VALUE } },
    ],
    ['formats', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }],
    [
      'a format it does not know, and a default',
      { type: 'string', description: 'Where', format: 'uri', title: 't', default: 'x' },
      { type: 'string', description: 'Where. Format: uri. Default: "x".' },
    ],
    [
      'a default that the description names',
      { type: 'number', description: 'How many (default: 10)', default: 10 },
      { type: 'number', description: 'How many (default: 10)' },
    ],
    [
      'a default of listed values',
      { enum: ['a', 'b'], default: 'b' },
      { type: 'string', description: 'Default: "b".', enum: ['a', 'b'] },
    ],
    [
      'a default of alternatives',
      { anyOf: [{ type: 'string', format: 'uri' }, { type: 'number' }], default: 7, description: 'What' },
      {
        anyOf: [
          { type: 'string', description: 'What. Format: uri. Default: 7.' },
          { type: 'number', description: 'What' },
        ],
      },
    ],
    [
      'a map',
      { type: 'object', additionalProperties: { type: 'number' } },
      { type: 'object', description: 'Any other names may be used: each value is a number.' },
    ],
    [
      'a map of objects',
      { type: 'object', patternProperties: { '^x': { type: 'array', items: { type: 'string' } } } },
      {
        type: 'object',
        description:
          'Names that match "^x" may be used: each value fits this JSON Schema: {"type":"array","items":{"type":"string"}}',
      },
    ],
    ['bounds it knows', { type: 'integer', minimum: 1, maximum: 5 }, { type: 'integer', minimum: 1, maximum: 5 }],
    [
      'bounds it does not know',
      { type: 'number', description: 'Share.', exclusiveMinimum: 0, multipleOf: 0.5 },
      { type: 'number', description: 'Share. Must be greater than 0. Must be a multiple of 0.5.' },
    ],
    [
      'allOf',
      {
        allOf: [
          { type: 'number', minimum: 1 },
          { minimum: 3, maximum: 9 },
        ],
      },
      { type: 'number', minimum: 3, maximum: 9 },
    ],
  ])('%s', (_name, given, made) => {
    expect(geminiOf(given)).toEqual(made);
  });

  test('references are inlined; a cycle, and what leads nowhere, is an object', () => {
    const $defs = {
      Node: { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/Node' } } },
    };
    expect(geminiOf({ $ref: '#/$defs/Node', description: 'Start' }, { $defs })).toEqual({
      type: 'object',
      description: 'Start',
      properties: { name: { type: 'string' }, next: { type: 'object' } },
    });
    expect(geminiOf({ $ref: '#/nope' })).toEqual({ type: 'object' });
    expect(geminiOf({ $ref: 'https://x.example/s' })).toEqual({ type: 'object' });
  });

  test('conditions shared by alternatives move into each of them', () => {
    const shared = {
      description: 'Where.',
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    };
    const properties = { a: { type: 'string' }, b: { type: 'string' } };
    expect(geminiOf(shared)).toEqual({
      anyOf: [
        { type: 'object', description: 'Where.', properties, required: ['a'] },
        { type: 'object', description: 'Where.', properties, required: ['b'] },
      ],
    });
  });

  test('a result is text in a field, whatever the text is', () => {
    const block = { type: 'tool_result', toolUseId: 'c1', content: '{"$ref":"#/x"}', isError: false } as const;
    expect(geminiToolResult(block, 'read_file')).toEqual({
      functionResponse: { name: 'read_file', response: { result: '{"$ref":"#/x"}' } },
    });
  });
});
