import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { orReason } from './json-input.ts';

/** Writes a value as JSON text. Source: tool catalogue B.9. */
export const serializeJson = defineTool({
  name: 'serialize_json',
  access: 'read',
  description:
    'Return a value as compact JSON text. A string becomes a JSON string, even if it holds JSON text itself.',
  input: z.object({ data: z.unknown().describe('Any value') }),
  emptyAllowed: ['data'],
  words: { title: 'Serialise JSON', done: 'Serialised JSON', icon: 'braces', about: ['data'] },
  manual: {
    example: { data: { name: 'Ada', languages: ['en', 'fr'] } },
    limits: ['Nested at most 200 levels deep.'],
  },
  async execute({ data }) {
    return orReason('error serializing JSON', () => {
      // Of what JSON has no word for (a function, a symbol) nothing is left.
      return JSON.stringify(data) ?? 'null';
    });
  },
});
