import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

const FEWEST = 1;
const MAX_RESULTS = 50;
const USUAL = 5;

/** Finds stored memories and passages of other conversations. Source: tool catalogue B.8. */
export const searchMemory = defineTool({
  name: 'search_memory',
  access: 'read',
  description:
    'Search memories stored with store_memory and earlier conversations. Results are ranked by matching words and recency.',
  longest: { query: 100_000 },
  input: z.object({
    query: z.string().describe('Words to look for; words in double quotes must occur together'),
    max_results: z.number().min(FEWEST).max(MAX_RESULTS).default(USUAL).describe('How many results'),
  }),
  requiredTexts: { query: 'Error: Query parameter is required' },
  words: { title: 'Search memory', done: 'Searched memory:', icon: 'brain', about: ['query'] },
  manual: {
    example: { query: 'where does the team meet', max_results: 3 },
    limits: [
      `At most ${MAX_RESULTS} results.`,
      'Up to three passages of 600 characters are shown per conversation.',
      'The current conversation and deleted ones are left out.',
    ],
  },
  async execute({ query, max_results }, { memory, conversationId, mark }) {
    const options = { limit: Math.trunc(max_results), exceptConversation: conversationId };
    const hits = await memory.searchMemory(query, options);
    if (hits.length === 0) return `No archived conversations found matching: ${query}`;
    mark({ kind: 'private', source: 'memory' });
    for (const kept of hits.flatMap(({ marks }) => marks)) mark(kept);
    const results = hits.map(
      ({ relevance, text }, index) => `Result ${index + 1} [Relevance: ${relevance.toFixed(2)}]:\n${text}`,
    );
    return `Found ${hits.length} archived conversation(s):\n\n${results.join('\n\n')}`;
  },
});
