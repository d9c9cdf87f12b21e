import { z } from 'zod';
import { TEXT_LENGTH } from '../argument-limits.ts';
import { withFailurePrefix } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { jsonInput, jsonRequired, jsonText } from './json-text.ts';

/** Returns the parts of a JSON text that a path selects. Source: tool catalogue B.9. */
export const queryJson = defineTool({
  name: 'query_json',
  access: 'read',
  description:
    "Extract parts of JSON text by path: $.users[0].name, $['a key'], $.users[-1], $.users[*].name, $.*, $.users[?(@.age >= 18)].name. One match returns its value, several an array, none null.",
  longest: { json: TEXT_LENGTH, path: 100_000 },
  input: z.object({
    json: jsonInput.describe('The JSON text'),
    path: z.string().describe('A path such as $.users[0].name'),
  }),
  requiredTexts: jsonRequired,
  words: { title: 'Query JSON', done: 'Queried JSON:', icon: 'braces', about: ['path'] },
  manual: {
    example: { json: '{"users":[{"name":"Ada"},{"name":"Alan"}]}', path: '$.users[*].name' },
    limits: [
      'At most 1 MiB of text, nested at most 1,000 levels deep.',
      'Filters compare one value of each item with a string, a number, true, false or null.',
    ],
  },
  async execute({ json, path }, { signal }) {
    return withFailurePrefix('Error: error querying JSON: ', () => jsonText({ kind: 'query', json, path }, signal));
  },
});
