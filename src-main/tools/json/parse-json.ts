import { z } from 'zod';
import { TEXT_LENGTH } from '../argument-limits.ts';
import { withFailurePrefix } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { jsonInput, jsonRequired, jsonText } from './json-text.ts';

/** Summarises a JSON text and returns it indented. Source: tool catalogue B.9. */
export const parseJson = defineTool({
  name: 'parse_json',
  access: 'read',
  description: 'Check JSON text and return it indented, with a summary line. Reports what is wrong if it is not JSON.',
  longest: { json: TEXT_LENGTH },
  input: z.object({ json: jsonInput.describe('The JSON text') }),
  requiredTexts: jsonRequired,
  words: { title: 'Parse JSON', done: 'Parsed JSON', icon: 'braces', about: ['json'] },
  manual: {
    example: { json: '{"name":"Ada","languages":["en","fr"]}' },
    limits: ['At most 1 MiB of text, nested at most 1,000 levels deep.'],
  },
  async execute({ json }, { signal }) {
    return withFailurePrefix('Error: error parsing JSON: ', () => jsonText({ kind: 'parse', json }, signal));
  },
});
