import { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import { defineTool } from '../define-tool.ts';
import { ExactNumber, readJson } from './json-document.ts';
import { jsonInput, jsonRequired, orReason } from './json-input.ts';

/** Says what a JSON text holds, and gives it indented. Source: tool catalogue B.9. */
export const parseJson = defineTool({
  name: 'parse_json',
  access: 'read',
  description: 'Check JSON text and return it indented, with a summary line. Says what is wrong if it is not JSON.',
  input: z.object({ json: jsonInput.describe('The JSON text') }),
  requiredTexts: jsonRequired,
  words: { title: 'Parse JSON', done: 'Parsed JSON', icon: 'braces', about: ['json'] },
  manual: {
    example: { json: '{"name":"Ada","languages":["en","fr"]}' },
    limits: ['At most 8 MiB of text, nested at most 1,000 levels deep.'],
  },
  async execute({ json }) {
    return orReason('error parsing JSON', async () => {
      const { value, pretty } = await readJson(json);
      return `${summaryOf(value)}\n${pretty(value)}`;
    });
  },
});

function summaryOf(value: unknown): string {
  if (Array.isArray(value)) return `Parsed JSON array (${value.length} items)`;
  if (isRecord(value) && !(value instanceof ExactNumber))
    return `Parsed JSON object (${Object.keys(value).length} keys)`;
  return 'Parsed JSON value';
}
