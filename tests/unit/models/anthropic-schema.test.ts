import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anthropicInputSchema, toAnthropicTool } from '../../../src-main/models/schema-transforms/anthropic.ts';
import { refusalOf } from '../../fixtures/messages-api/refusals.ts';

describe('tool schemas for Anthropic', () => {
  test('a valid schema is passed on unchanged', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', minLength: 1 }, b: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      required: ['a'],
      additionalProperties: false,
    };
    expect(anthropicInputSchema(schema)).toEqual({ schema, notes: [] });
  });

  test('a missing root becomes an empty object', () => {
    for (const nothing of [{}, null, undefined, true, 'x', []]) {
      expect(anthropicInputSchema(nothing).schema).toEqual({ type: 'object', properties: {} });
    }
  });

  test('alternatives at the root go into the description, and their parameters stay', () => {
    const tool = toAnthropicTool({
      name: 'find',
      description: 'Finds things.',
      inputSchema: {
        type: 'object',
        properties: { limit: { type: 'number' } },
        additionalProperties: false,
        oneOf: [
          { properties: { id: { type: 'string' } }, required: ['id'] },
          { properties: { name: { type: 'string' } }, required: ['name'] },
        ],
      },
    });
    expect(tool.description).toMatch(
      /^Finds things\.\n\nThe input must match exactly one of[\s\S]*"required":\["id"\]/,
    );
    expect(tool.input_schema).toEqual({
      type: 'object',
      properties: { limit: { type: 'number' }, id: { type: 'string' }, name: { type: 'string' } },
    });
  });

  test('properties required by all alternatives are required', () => {
    const { schema } = anthropicInputSchema({
      allOf: [{ properties: { a: {} }, required: ['a'] }, { properties: { b: {} } }],
    });
    expect(schema).toEqual({ type: 'object', properties: { a: {}, b: {} }, required: ['a'] });
  });

  test('a root behind a reference is brought to the front', () => {
    const $defs = {
      Input: { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, required: ['a'] },
      A: { type: 'string' },
    };
    expect(anthropicInputSchema({ $ref: '#/$defs/Input', $defs }).schema).toEqual({ ...$defs.Input, $defs });
    expect(anthropicInputSchema({ $ref: '#/$defs/Loop', $defs: { Loop: { $ref: '#/$defs/Loop' } } }).schema.type).toBe(
      'object',
    );
  });

  test('older drafts and mistakes are repaired', () => {
    const { schema, notes } = anthropicInputSchema({
      $schema: 'http://json-schema.org/draft-04/schema#',
      id: 'x',
      type: 'object',
      properties: {
        n: { type: 'number', minimum: 1, exclusiveMinimum: true },
        list: { type: 'array', items: [{ type: 'string' }] },
        odd: { type: 'any', required: true, enum: 'a', pattern: '(' },
        'with blank': { type: 'string' },
      },
      required: ['n', 'gone', 'n', 7],
    });
    expect(schema).toEqual({
      type: 'object',
      properties: {
        n: { type: 'number', exclusiveMinimum: 1 },
        list: { type: 'array', prefixItems: [{ type: 'string' }] },
        odd: {},
      },
      required: ['n'],
    });
    expect(notes).toEqual(['Further property "with blank": {"type":"string"}']);
  });

  test('any JSON value at all becomes a tool that the service accepts, and twice is as once', () => {
    const keyword = fc.constantFrom(
      'type',
      'properties',
      'items',
      'oneOf',
      'anyOf',
      'allOf',
      'required',
      '$ref',
      '$defs',
      'enum',
      'not',
      '__proto__',
      'minimum',
      'exclusiveMinimum',
    );
    const value = fc.oneof(
      fc.constantFrom('object', 'string', '#', '#/$defs/a', '#/properties'),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        value,
        fc
          .array(
            fc.tuple(
              fc.oneof(keyword, fc.string()),
              fc.oneof(value, tie('schema'), fc.array(tie('schema'), { maxLength: 3 })),
            ),
            { maxLength: 6 },
          )
          .map((members) => {
            const made: Record<string, unknown> = {};
            for (const [key, member] of members)
              Object.defineProperty(made, key, { value: member, enumerable: true, configurable: true });
            return made;
          }),
      ),
    }));
    fc.assert(
      fc.property(schema, (inputSchema) => {
        const tool = toAnthropicTool({ name: 'n', description: '', inputSchema });
        const request = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'x' }], tools: [tool] };
        expect(refusalOf(JSON.parse(JSON.stringify(request)), '2026-10-21', {}, [])).toBeUndefined();
        expect(tool.description).not.toBe('');
        expect(anthropicInputSchema(tool.input_schema).schema).toEqual(tool.input_schema);
      }),
      { numRuns: 1000 },
    );
  });
});
