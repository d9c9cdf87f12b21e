import { ToolIndex } from '../../../src-main/tools/registry/tool-index.ts';
import type { StewardRun } from './steward.ts';

export interface SearchResult {
  readonly tools: number;
  readonly asked: number;
  readonly found: number;
  readonly missed: readonly { readonly query: string; readonly first: readonly string[] }[];
}

const FIRST = 5;

/** What one asks for → the tools, without their servers' names, that do it. */
const REQUESTS: readonly (readonly [query: string, ...tools: readonly string[]])[] = [
  ['what meetings do I have tomorrow', 'list-events', 'search-events'],
  ['add a to-do for Friday', 'create_task', 'asana_create_task', 'add_card_to_list'],
  ['which pods are running', 'kubectl_get'],
];

/** Whether `find_tools` finds the right one over all tools of the servers that were tried. */
export async function searched(tools: StewardRun['offered']): Promise<SearchResult> {
  const index = await ToolIndex.of(
    tools.map(({ inputSchema, ...tool }) => ({ ...tool, inputSchema: Object(inputSchema) })),
  );
  const known = new Set(tools.map(({ name }) => ownName(name)));
  const asked = REQUESTS.filter(([, ...wanted]) => wanted.some((name) => known.has(name)));
  const missed = asked.flatMap(([query, ...wanted]) => {
    const first = index.search(query, FIRST);
    return first.some((name) => wanted.includes(ownName(name))) ? [] : [{ query, first }];
  });
  return { tools: tools.length, asked: asked.length, found: asked.length - missed.length, missed };
}

function ownName(name: string): string {
  return name.replace(/^.*?__/, '');
}
