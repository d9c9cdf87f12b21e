import { z } from 'zod';
import { FIND_TOOLS } from '../../../src-preload/contract/find-tools.ts';
import { defineTool } from '../define-tool.ts';
import { firstSentence } from '../registry/first-sentence.ts';

const MAX_FOUND = 20;
const USUAL = 5;

/**
 * Finds tools that were left out of the request, so that they can be called from the next round on. Descriptions of MCP
 * servers were reviewed by the user, and would otherwise be in the request themselves: they are no text from outside.
 * Those of client programs were not, and mark the result. Source: tool catalogue A.10.
 */
export const findTools = defineTool({
  name: FIND_TOOLS,
  access: 'read',
  description:
    'Search all tools that are available but not shown to you: of connected services, of MCP servers and of client programs. Say what you want to do in a few words, with the name of the service if you know it. The tools it finds can be called right after.',
  input: z.object({
    query: z.string().describe('What the tool should do, for example: create an issue in the tracker'),
    count: z.number().min(1).max(MAX_FOUND).default(USUAL).describe('How many tools to find'),
  }),
  words: { title: 'Find tools', done: 'Looked for tools:', icon: 'search', about: ['query'] },
  manual: {
    example: { query: 'create an issue in the tracker' },
    limits: [
      'Offered only while more than 128 tools are switched on.',
      'A tool that was found stays offered in the conversation, until others that were used since take its place.',
    ],
  },
  async execute({ query, count }, { findTools: find, mark }) {
    const found = await find(query, Math.round(count));
    if (found.length === 0) return `No tools found for "${query}".`;
    for (const { marks = [] } of found) for (const each of marks) mark(each);
    const lines = found.map(({ name, description }) => `- ${name}: ${firstSentence(description)}`);
    return [`Found ${found.length} tools:`, ...lines].join('\n');
  },
});
