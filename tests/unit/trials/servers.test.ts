import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { publishedServers } from '../../fixtures/published-tools/published-tools.ts';
import { changedCalls } from '../../trials/servers/compared.ts';
import { generatedArguments } from '../../trials/servers/generated-arguments.ts';

describe('what arrived is compared with what was written', () => {
  const written = [{ tool: 'get', input: { kind: 'pods' } }];

  test('in any order, and without arguments as with none', () => {
    const calls = [...written, { tool: 'get', input: { kind: 'nodes' } }, { tool: 'ping', input: {} }];
    expect(changedCalls(calls, [{ tool: 'ping', input: undefined }, ...calls.slice(0, 2).reverse()])).toEqual([]);
  });

  test.each([
    ['a default that was added', { kind: 'pods', namespace: 'default' }],
    ['an argument that was left out', {}],
    ['another type', { kind: ['pods'] }],
    ['another value', { kind: 'pod' }],
  ])('%s is seen', (_, received) => {
    const [changed] = changedCalls(written, [{ tool: 'get', input: received }]);
    expect(changed).toEqual({ tool: 'get', written: { kind: 'pods' }, received });
  });

  test('a call that never arrived is seen, also where the same one arrived once', () => {
    expect(changedCalls([...written, ...written], written)).toEqual([{ tool: 'get', written: { kind: 'pods' } }]);
    expect(changedCalls(written, [{ tool: 'list', input: { kind: 'pods' } }])).toHaveLength(1);
  });
});

describe('generated arguments', () => {
  const all = publishedServers.flatMap(({ package: server, tools }) => tools.map((tool) => ({ server, ...tool })));
  /** Only a server can judge these, and no call is refused for them. */
  const LEFT_TO_SERVERS = new Set(['pattern', 'format', 'uniqueItems', 'multipleOf']);

  test('fit the schemas of published servers by type', () => {
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, logger: false });
    const misfits = all.flatMap(({ server, name, inputSchema: { $schema: _, ...schema } }) => {
      const validate = ajv.compile(schema);
      return generatedArguments(schema).flatMap((input) => {
        validate(input);
        const errors = validate.errors ?? [];
        const left = new Set(
          errors.flatMap(({ keyword, instancePath }) => (LEFT_TO_SERVERS.has(keyword) ? [instancePath] : [])),
        );
        return errors
          .filter(({ instancePath }) => !left.has(instancePath))
          .map(({ instancePath, message }) => `${server} ${name}${instancePath}: ${message}`);
      });
    });
    expect(misfits).toEqual([]);
  });

  test('are the same each time, with and without what is optional, with null and with what is not listed', () => {
    const schema = {
      properties: { a: { type: 'string' }, b: { type: ['boolean', 'null'], default: true } },
      required: ['a'],
    };
    const made = generatedArguments(schema);
    expect(generatedArguments(schema)).toEqual(made);
    expect(made.map((input) => Object.keys(input))).toEqual(
      expect.arrayContaining([['a'], ['a', 'b'], ['a', 'b', 'unlisted']]),
    );
    expect(made.map(({ b }) => b)).toEqual(expect.arrayContaining([undefined, null, false]));
    expect(generatedArguments({ ...schema, additionalProperties: false }).some((input) => 'unlisted' in input)).toBe(
      false,
    );
  });
});
