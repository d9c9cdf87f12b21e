import { ToolIndex } from '../../../src-main/tools/registry/tool-index.ts';
import { REQUESTS } from '../../fixtures/thousand-tools/thousand-tools.ts';
import type { ServerReport } from './trial.ts';

export interface SearchResult {
  readonly tools: number;
  readonly asked: number;
  readonly found: number;
  readonly missed: readonly { readonly query: string; readonly first: readonly string[] }[];
}

const FIRST = 5;

/**
 * Whether `find_tools` finds the right one over all tools of the servers that were tried, with what these say of them.
 * Asked is what the test with a thousand tools asks, as far as one of the servers can do it.
 */
export async function searched(reports: readonly ServerReport[]): Promise<SearchResult> {
  const tools = new Map(
    reports.flatMap(({ server, tools: ofServer }) =>
      ofServer.map(({ name, description, inputSchema }) => {
        const known = `${shortName(server.package)}__${ownName(name)}`;
        return [known, { name: known, description, inputSchema: Object(inputSchema) }] as const;
      }),
    ),
  );
  const index = await ToolIndex.of([...tools.values()]);
  const known = new Set([...tools.keys()].map(ownName));
  const asked = REQUESTS.map(([query, ...wanted]) => ({ query, wanted: new Set(wanted.map(ownName)) })).filter(
    ({ wanted }) => [...wanted].some((name) => known.has(name)),
  );
  const missed = asked.flatMap(({ query, wanted }) => {
    const first = index.search(query, FIRST);
    return first.some((name) => wanted.has(ownName(name))) ? [] : [{ query, first }];
  });
  return { tools: tools.size, asked: asked.length, found: asked.length - missed.length, missed };
}

/** As somebody would call it in their settings: what all have in common is left out. */
function shortName(packageName: string): string {
  const words = packageName
    .split(/[@/-]+/)
    .filter((word) => !['', 'mcp', 'server', 'modelcontextprotocol'].includes(word));
  return [...new Set(words)].join('-');
}

function ownName(name: string): string {
  return name.slice(name.indexOf('__') + 2);
}
