import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonSchema } from '../../../src-main/tools/contract.ts';
import { defineTool } from '../../../src-main/tools/define-tool.ts';
import { appendFile } from '../../../src-main/tools/files/append-file.ts';
import { readFile } from '../../../src-main/tools/files/read-file.ts';
import { writeFile } from '../../../src-main/tools/files/write-file.ts';
import { type InputRules, validateInput } from '../../../src-main/tools/registry/validation.ts';
import { searchCode } from '../../../src-main/tools/search/search-code.ts';
import { bash } from '../../../src-main/tools/shell/bash.ts';
import { runCommand } from '../../../src-main/tools/shell/run-command.ts';
import { anyWords } from '../../fixtures/any-words.ts';

function rulesFor(inputSchema: JsonSchema, more: Partial<InputRules> = {}): InputRules {
  return { inputSchema, parameterAliases: {}, errorPrefix: 'Error: ', emptyAllowed: [], requiredTexts: {}, ...more };
}

function propertyOf(schema: JsonSchema, value: unknown): unknown {
  const result = validateInput(rulesFor({ type: 'object', properties: { p: schema } }), { p: value });
  return result.ok ? result.input.p : result.text;
}

test('nothing, null and an empty string stand for no parameters; other values are refused with a reason', () => {
  for (const input of [undefined, null, '', {}])
    expect(validateInput(rulesFor({ type: 'object' }), input)).toEqual({ ok: true, input: {} });
  expect(validateInput(rulesFor({ type: 'object' }), '{"a":1}').ok).toBe(true);
  for (const input of ['{"a":', 'hello', '[1]', [], 5, true, '"text"']) {
    const result = validateInput(rulesFor({ type: 'object' }), input);
    expect(result.ok ? '' : result.text).toMatch(/^Error: Invalid JSON parameters: ./);
  }
});

test("a missing required parameter is named with the tool's own prefix", () => {
  expect(validateInput(readFile, {})).toEqual({ ok: false, text: 'Error reading file: file_path is required' });
  expect(validateInput(readFile, { file_path: null })).toEqual({
    ok: false,
    text: 'Error reading file: file_path is required',
  });
  expect(validateInput(readFile, { path: '' })).toEqual({
    ok: false,
    text: 'Error reading file: file_path is required',
  });
  expect(validateInput(writeFile, { file_path: 'a' })).toEqual({
    ok: false,
    text: 'Error writing file: content is required',
  });
  expect(validateInput(appendFile, { path: 'f.txt' })).toEqual({
    ok: false,
    text: 'Error appending to file: content is required',
  });
  expect(validateInput(searchCode, {})).toEqual({ ok: false, text: 'Error searching code: query is required' });
  expect(validateInput(bash, {})).toEqual({ ok: false, text: 'Error executing command: command is required' });
  expect(validateInput(runCommand, {})).toEqual({ ok: false, text: 'Error running command: command is required' });
});

test('an empty string is a value only if the tool declares it', () => {
  expect(validateInput(writeFile, { file_path: 'e.txt', content: '' })).toMatchObject({
    ok: true,
    input: { content: '' },
  });
  expect(validateInput(searchCode, { query: '' })).toEqual({
    ok: false,
    text: 'Error searching code: query is required',
  });
  expect(validateInput(searchCode, { query: 'x', directory: '' })).toMatchObject({
    ok: true,
    input: { directory: '.' },
  });
});

test('aliases reach the parameter, which wins if both are given', () => {
  expect(validateInput(readFile, { path: 'a' })).toMatchObject({ input: { file_path: 'a' } });
  expect(validateInput(readFile, { path: 'a', file_path: 'b' })).toMatchObject({ input: { file_path: 'b' } });
  expect(validateInput(readFile, { path: 'a', file_path: null })).toMatchObject({ input: { file_path: 'a' } });
  expect(validateInput(runCommand, { command: 'x', timeout: '7' })).toMatchObject({ input: { timeout_seconds: 7 } });
});

test('defaults fill what is absent, null or of a kind that cannot be converted', () => {
  for (const limit of [undefined, null, {}, 'many', []]) {
    expect(validateInput(readFile, { file_path: 'a', limit })).toEqual({
      ok: true,
      input: { file_path: 'a', offset: 1, limit: -1 },
    });
  }
});

test('values are converted as the catalogue says', () => {
  expect(propertyOf({ type: 'number' }, '5')).toBe(5);
  expect(propertyOf({ type: 'number' }, ' -1.5e2 ')).toBe(-150);
  expect(propertyOf({ type: 'boolean' }, 'true')).toBe(true);
  expect(propertyOf({ type: 'boolean' }, 'false')).toBe(false);
  expect(propertyOf({ type: 'string' }, 5)).toBe('5');
  expect(propertyOf({ type: 'string' }, false)).toBe('false');
  expect(propertyOf({ type: 'object' }, '{"a":[1]}')).toEqual({ a: [1] });
  expect(propertyOf({ type: 'array' }, '[1,2]')).toEqual([1, 2]);
  expect(propertyOf({ type: 'array', items: { type: 'string' } }, 'one')).toEqual(['one']);
  expect(propertyOf({ type: 'array', items: { type: 'number' } }, '7')).toEqual([7]);
});

test('a string that is JSON text takes the value itself as its text', () => {
  const json = { type: 'string', contentMediaType: 'application/json' };
  expect(propertyOf(json, { a: [1, 'x'] })).toBe('{"a":[1,"x"]}');
  expect(propertyOf(json, [])).toBe('[]');
  expect(propertyOf(json, 5)).toBe('5');
  expect(propertyOf(json, 'as it is')).toBe('as it is');
  const schema = { type: 'object', properties: { p: json }, required: ['p'] };
  const big = { ok: true, input: { p: '{"big":9007199254740993}' } };
  expect(validateInput(rulesFor(schema), { p: { big: 9_007_199_254_740_993n } })).toEqual(big);
});

test('a required value that cannot be converted is named with its type', () => {
  const rules = (type: string) => rulesFor({ type: 'object', properties: { p: { type } }, required: ['p'] });
  const textOf = (type: string, p: unknown) => {
    const result = validateInput(rules(type), { p });
    return result.ok ? undefined : result.text;
  };
  expect(textOf('number', 'x')).toBe('Error: p must be a number');
  expect(textOf('string', {})).toBe('Error: p must be a string');
  expect(textOf('boolean', 'yes')).toBe('Error: p must be a boolean');
  expect(textOf('object', [])).toBe('Error: p must be a object');
});

test('numbers are clamped to their documented range, infinities too', () => {
  const range = { type: 'number', minimum: 1, maximum: 10, default: 3 };
  expect([0, 11, 5, '99', Number.POSITIVE_INFINITY, Number.NaN].map((value) => propertyOf(range, value))).toEqual([
    1, 10, 5, 10, 10, 3,
  ]);
  expect(propertyOf({ type: 'number' }, '1e999')).toBeUndefined();
});

test('a value that is not listed is answered with the list, also for an optional parameter', () => {
  expect(propertyOf({ type: 'string', enum: ['GET', 'POST'] }, 'PUT')).toBe('Error: p must be one of: GET, POST');
  expect(propertyOf({ type: 'string', enum: ['GET', 'POST'] }, 'GET')).toBe('GET');
});

test('a value that is not listed is named before what is missing', () => {
  const schema = {
    type: 'object',
    properties: { url: { type: 'string' }, method: { type: 'string', enum: ['GET', 'POST'] } },
    required: ['url'],
  };
  const textOf = (input: object) => {
    const result = validateInput(rulesFor(schema), input);
    return result.ok ? undefined : result.text;
  };
  expect(textOf({ method: 'PATCH' })).toBe('Error: method must be one of: GET, POST');
  for (const input of [{}, { method: 'GET' }, { method: '' }, { method: null }, { method: {} }])
    expect(textOf(input), JSON.stringify(input)).toBe('Error: url is required');
});

test('a listed value is known in any letter case, unless it could mean two', () => {
  expect(propertyOf({ type: 'string', enum: ['GET', 'POST'] }, 'post')).toBe('POST');
  expect(propertyOf({ enum: ['content', 'count', 5, null] }, 'Content')).toBe('content');
  const twins = { type: 'string', enum: ['a', 'A', 'é'] };
  expect(['a', 'A', 'É'].map((value) => propertyOf(twins, value))).toEqual(['a', 'A', 'é']);
  expect(propertyOf({ type: 'string', enum: ['ab', 'AB'] }, 'Ab')).toBe('Error: p must be one of: ab, AB');
});

test('a text in place of a listed value that is none is that value: Gemini is given lists of texts only', () => {
  expect(propertyOf({ enum: [3, 4.5, true] }, '3')).toBe(3);
  expect(propertyOf({ enum: [3, 4.5, true] }, '4.5')).toBe(4.5);
  expect(propertyOf({ enum: [3, 4.5, true] }, 'true')).toBe(true);
  expect(propertyOf({ enum: [3, '3'] }, '3')).toBe('3');
  expect(propertyOf({ enum: [3, 4] }, '03')).toBe('Error: p must be one of: 3, 4');
  expect(propertyOf({ type: ['string', 'integer'], enum: ['auto', 3] }, '3')).toBe(3);
  expect(propertyOf({ const: 3 }, '3')).toBe(3);
  expect(propertyOf({ const: 3 }, 'x')).toBe('x');
  expect(propertyOf({ const: { a: 1 } }, '{"a":1}')).toEqual({ a: 1 });
  for (const union of [{ anyOf: [{ const: 1 }, { const: 2 }] }, { oneOf: [{ enum: [1] }, { enum: [2, 3] }] }])
    expect(propertyOf(union, '2')).toBe(2);
  expect(propertyOf({ anyOf: [{ type: 'string' }, { const: 2 }] }, '2')).toBe('2');
});

test('parameters that the schema does not know are left out', () => {
  expect(validateInput(readFile, { file_path: 'a', mode: 'x' })).toEqual({
    ok: true,
    input: { file_path: 'a', offset: 1, limit: -1 },
  });
});

test('missing parameters are reported before invalid ones', () => {
  const schema = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'string' } }, required: ['a', 'b'] };
  expect(validateInput(rulesFor(schema), { a: 'x' })).toEqual({ ok: false, text: 'Error: b is required' });
});

test('objects in arrays are fitted too, and a misfit is named with its place', () => {
  const todos = {
    type: 'array',
    items: {
      type: 'object',
      properties: { content: { type: 'string' }, done: { type: 'boolean', default: false } },
      required: ['content'],
    },
  };
  expect(
    propertyOf(todos, [
      { content: 5, done: 'true', kept: 1 },
      { content: 'x', done: 'perhaps' },
    ]),
  ).toEqual([
    { content: '5', done: true, kept: 1 },
    { content: 'x', done: false },
  ]);
  expect(propertyOf(todos, [{ content: 'a' }, {}])).toBe('Error: p[1].content is required');
  expect(propertyOf(todos, [7])).toBe('Error: p[0] must be a object');
});

test('references, unions and lists of types of foreign schemas are understood', () => {
  const schema = {
    type: 'object',
    properties: {
      tree: { $ref: '#/$defs/Node' },
      id: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      size: { type: ['integer', 'null'] },
      lost: { $ref: '#/$defs/Nowhere' },
    },
    $defs: { Node: { type: 'object', properties: { value: { type: 'number' }, next: { $ref: '#/$defs/Node' } } } },
  };
  const input = { tree: { value: '1', next: { value: '2' } }, id: '4', size: '3', lost: [1] };
  expect(validateInput(rulesFor(schema), input)).toEqual({
    ok: true,
    input: { tree: { value: 1, next: { value: 2 } }, id: 4, size: 3, lost: [1] },
  });
});

test('names that objects inherit are ordinary parameters', () => {
  const properties = Object.fromEntries(
    ['__proto__', 'constructor', 'toString'].map((name) => [name, { type: 'string' }]),
  );
  const rules = rulesFor({ type: 'object', properties });
  expect(validateInput(rules, {})).toEqual({ ok: true, input: {} });
  const result = validateInput(rules, JSON.parse('{"__proto__":"a","constructor":"b"}'));
  expect(result.ok && Object.entries(result.input)).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
  const polluting = validateInput(readFile, JSON.parse('{"file_path":"a","__proto__":{"limit":3}}'));
  expect(polluting).toMatchObject({ ok: true, input: { limit: -1 } });
});

test('a 50 MB text passes unchanged, and is not taken for a number', () => {
  const huge = 'x'.repeat(50 * 1024 * 1024);
  const written = validateInput({ ...writeFile, longest: { content: huge.length } }, { file_path: 'a', content: huge });
  expect(written.ok && written.input.content === huge).toBe(true);
  const longest = { file_path: huge.length, limit: huge.length };
  const read = validateInput({ ...readFile, longest }, { file_path: huge, limit: huge });
  expect(read).toMatchObject({ ok: true, input: { limit: -1 } });
});

test('too deeply nested input is rejected before it is examined, also within JSON text', () => {
  const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  const TOO_DEEP = 'Error: Invalid JSON parameters: nested more than 200 levels deep';
  const items = rulesFor({ type: 'object', properties: { items: { type: 'array', items: {} } }, required: ['items'] });
  expect(validateInput(items, { items: deep })).toEqual({ ok: false, text: TOO_DEEP });
  expect(validateInput(items, `{"items":${'['.repeat(5_000)}${']'.repeat(5_000)}}`)).toEqual({
    ok: false,
    text: TOO_DEEP,
  });
  const asText = validateInput(items, { items: '['.repeat(5_000) + ']'.repeat(5_000) });
  expect(asText.ok ? JSON.stringify(asText.input).length : 0).toBeLessThan(20_000);
});

test('validation never throws, never changes what it was given, and is stable', () => {
  const anyTool = fc.constantFrom(readFile, writeFile, appendFile, searchCode, bash, runCommand);
  fc.assert(
    fc.property(
      anyTool,
      fc.oneof(
        fc.jsonValue(),
        fc.dictionary(
          fc.constantFrom('file_path', 'path', 'content', 'limit', 'query', 'command', '__proto__', 'regex'),
          fc.jsonValue(),
        ),
      ),
      (tool, input) => {
        const before = JSON.stringify(input);
        const first = validateInput(tool, input);
        expect(JSON.stringify(input)).toBe(before);
        if (first.ok) {
          expect(validateInput(tool, first.input)).toEqual(first);
          for (const name of tool.inputSchema.required as string[]) expect(Object.hasOwn(first.input, name)).toBe(true);
        } else expect(first.text).toMatch(/^Error/);
      },
    ),
    { numRuns: 500 },
  );
});

test('any schema and any value together give an answer', () => {
  const leaf = fc.record(
    {
      type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null', 'odd', 7),
      enum: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
      minimum: fc.jsonValue(),
      $ref: fc.constantFrom('#', '#/properties/a', '#/nowhere', 'http://x'),
      default: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const above = (inner: fc.Arbitrary<unknown>) =>
    fc.record(
      {
        type: fc.constantFrom('object', 'array'),
        properties: fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), inner),
        required: fc.oneof(fc.array(fc.constantFrom('a', 'b', '__proto__')), fc.jsonValue()),
        items: inner,
        anyOf: fc.array(fc.oneof(inner, fc.constant({ $ref: '#' })), { maxLength: 3 }),
        additionalProperties: fc.oneof(fc.boolean(), inner),
      },
      { requiredKeys: [] },
    );
  const schema = above(above(leaf));
  const value = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), fc.jsonValue()),
  );
  fc.assert(
    fc.property(schema, value, (inputSchema, input) => {
      expect(typeof validateInput(rulesFor(inputSchema as JsonSchema), input).ok).toBe('boolean');
    }),
    { numRuns: 300 },
  );
});

test("a tool's schema is plain JSON Schema with an object at its root and without aliases", () => {
  const tool = defineTool({
    name: 'plain',
    access: 'read',
    description: 'x',
    input: z.object({ a: z.string() }),
    aliases: { b: 'a' },
    words: anyWords,
    execute: async () => '',
  });
  expect(tool.inputSchema).toEqual({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] });
  expect(tool.inputSchema).toBe(tool.inputSchema);
});
