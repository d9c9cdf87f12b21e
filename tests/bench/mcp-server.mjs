// A server of the older era over stdio, without an SDK: what is measured is the other side. Arguments: how long it
// needs to start, how many tools it has, how many of them stand on a page.
import { createInterface } from 'node:readline';

const [startMs = 0, count = 2, perPage = 1_000] = process.argv.slice(2).map(Number);
const startedAt = performance.now();
const WAITS_MS = { wait: 20, none: 0 };
const names = [...Object.keys(WAITS_MS), ...Array.from({ length: count - 2 }, (_, index) => `tool_${index}`)];
const tools = names.map((name) => ({
  name,
  description: `What ${name} does, in a sentence or two as servers have them. It takes a query and a limit.`,
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What to look for' },
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    },
  },
}));

const answers = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'bench', version: '1.0.0' },
  }),
  'tools/list': ({ cursor = '0' }) => {
    const from = Number(cursor);
    const next = from + perPage < tools.length ? { nextCursor: String(from + perPage) } : {};
    return { tools: tools.slice(from, from + perPage), ...next };
  },
  'tools/call': () => ({ content: [{ type: 'text', text: 'done' }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const send = () => {
    const result = answers[method]?.(params);
    const answer = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
  };
  const notBeforeMs = method === 'initialize' ? startMs - (performance.now() - startedAt) : 0;
  const waitMs = Math.max(notBeforeMs, method === 'tools/call' ? (WAITS_MS[params.name] ?? 0) : 0);
  if (waitMs > 0) setTimeout(send, waitMs);
  else send();
});
