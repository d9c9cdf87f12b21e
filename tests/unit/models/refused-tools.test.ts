import { expect, test } from 'vitest';
import { messagesService } from '../../../src-main/models/anthropic/service.ts';
import { geminiService } from '../../../src-main/models/gemini/service.ts';
import { openAiService } from '../../../src-main/models/openai/service.ts';
import type { VendorError } from '../../../src-main/models/transport/error-shape.ts';
import { RefusedTools } from '../../../src-main/models/transport/refused-tools.ts';

const SENT = ['a', 'b', 'c', 'd'];
const error = (text: string, param?: string): VendorError => ({
  status: 400,
  headers: undefined,
  type: undefined,
  code: undefined,
  param,
  text,
});

test.each([
  ['tools.2.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12', ['c']],
  ['tools.0.custom.name: String should match pattern\ntools.3.input_schema.type: Field required', ['a', 'd']],
  ['messages.2.content.0: unexpected', []],
])('Anthropic: %s', (text, refused) => {
  expect(messagesService('h').refusedTools(error(text), SENT)).toEqual(refused);
});

test.each([
  [
    "Invalid schema for function 'b': In context=('properties', 'x'), array schema missing items.",
    'tools[1].function.parameters',
    ['b'],
  ],
  ["Invalid schema for function 'b': schema must be an object.", undefined, ['b']],
  ["Invalid 'tools[3].name': string does not match pattern.", 'tools[3].name', ['d']],
  ['Invalid value for temperature', 'temperature', []],
])('OpenAI: %s', (text, param, refused) => {
  expect(openAiService('openai', 'openai', 'h').refusedTools(error(text, param), SENT)).toEqual(refused);
});

test.each([
  [
    '* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[x].items: missing field.\n* GenerateContentRequest.tools[0].function_declarations[3].name: Invalid function name.',
    ['b', 'd'],
  ],
  [
    `Invalid JSON payload received. Unknown name "x" at 'tools[0].function_declarations[2].parameters': Cannot find field.`,
    ['c'],
  ],
  ['Request contains an invalid argument.', []],
])('Gemini: %s', (text, refused) => {
  expect(geminiService('h').refusedTools(error(text), SENT)).toEqual(refused);
});

test('a definition that is too large to be transformed is left out before it is sent', () => {
  const large = (count: number) => ({ enum: Array.from({ length: count }, (_, index) => index) });
  const tools = [
    { name: 'small', description: 'd', inputSchema: large(5_000) },
    { name: 'large', description: 'd', inputSchema: large(10_001) },
    { name: 'deep', description: 'd', inputSchema: nested(5_000) },
  ];
  const { accepted, refused } = new RefusedTools().split(tools);
  expect(accepted).toEqual(tools.slice(0, 1));
  expect(refused).toEqual(['large', 'deep']);
});

function nested(levels: number): Record<string, unknown> {
  let schema = {};
  for (let level = 0; level < levels; level++) schema = { items: schema };
  return schema;
}
