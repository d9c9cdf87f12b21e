import { z } from 'zod';
import { exactJson } from '../../../src-preload/contract/exact-json.ts';
import { TEXT_LENGTH } from '../argument-limits.ts';
import { withFailurePrefix } from '../contract.ts';
import { defineTool } from '../define-tool.ts';

/** Writes a value as JSON text. Source: tool catalogue B.9. */
export const serializeJson = defineTool({
  name: 'serialize_json',
  access: 'read',
  description:
    'Return a value as compact JSON text. A string becomes a JSON string, even if it holds JSON text itself.',
  longest: { data: TEXT_LENGTH },
  input: z.object({ data: z.unknown().describe('Any value') }),
  emptyAllowed: ['data'],
  words: { title: 'Serialise JSON', done: 'Serialised JSON', icon: 'braces', about: ['data'] },
  manual: {
    example: { data: { name: 'Ada', languages: ['en', 'fr'] } },
    limits: ['Nested at most 200 levels deep.'],
  },
  async execute({ data }) {
    // JSON.stringify returns undefined for values that JSON can't express (a function, a symbol).
    return withFailurePrefix('Error: error serializing JSON: ', async () => exactJson(data));
  },
});
