import { requestBody } from '../../src-main/models/anthropic/request-body.ts';
import type { ToolDefinition } from '../../src-main/models/provider.ts';
import { toolsFor } from '../../src-main/models/schema-transforms/tools-for.ts';
import { registerBuiltInTools } from '../../src-main/tools/built-in-tools.ts';
import { ConversationToolset } from '../../src-main/tools/registry/conversation-toolset.ts';
import { ToolRegistry } from '../../src-main/tools/registry/registry.ts';
import { groupsOf, groupTokens, toolTokens } from '../../src-main/tools/registry/tool-groups.ts';
import type { ToolOffer } from '../../src-main/tools/registry/toolset.ts';
import { registerManyTools } from '../fixtures/many-tools/registered.ts';
import { registryPorts } from '../fixtures/registry-ports.ts';
import type { Bench } from './bench.ts';
import { computed, watchEventLoop } from './event-loop-watch.ts';
import { figure } from './report.ts';

const FOUND = 5;

/** 2,000 tools of 20 servers beside the built-in ones: what each request costs, and what finding one does. */
export const findTools: Bench = {
  name: 'find tools',
  meaning: 'What two thousand tools cost: in time for each request, and in tokens that are paid for.',
  run: async ({ isQuick }) => {
    const samples: Awaited<ReturnType<typeof sample>>[] = [];
    for (let round = 0; round < (isQuick ? 2 : 15); round++) samples.push(await sample());
    const of = (name: keyof (typeof samples)[number]) => samples.slice(1).map((each) => each[name]);
    const { all, collapsed, plain, found, deferred } = tokens();
    return [
      figure({ what: '2,000 tools: what a request offers, own computing', unit: 'ms', ours: of('plain') }),
      figure({ what: '- with deferred tools', unit: 'ms', ours: of('deferred') }),
      figure({ what: '- the body for Claude, all deferred', unit: 'ms', ours: of('body') }),
      figure({ what: 'index, made once', unit: 'ms', ours: of('indexing') }),
      figure({ what: '- longest block, own computing', unit: 'ms', ours: of('longest') }),
      figure({ what: 'one search', unit: 'ms', ours: of('searching') }),
      figure({ what: 'a request: all 2,000 open', unit: 'tokens', ours: [all] }),
      figure({ what: '- every server collapsed', unit: 'tokens', ours: [collapsed] }),
      figure({ what: '- with find_tools', unit: 'tokens', ours: [plain] }),
      figure({ what: `- with find_tools, ${FOUND} found`, unit: 'tokens', ours: [found] }),
      figure({ what: '- with find_tools on Claude: in front of the cache', unit: 'tokens', ours: [deferred] }),
    ];
  },
};

function toolset() {
  const registry = new ToolRegistry(registryPorts());
  registerBuiltInTools(registry);
  registerManyTools(registry);
  return { registry, tools: new ConversationToolset({ registry }) };
}

async function sample() {
  const { tools } = toolset();
  const offering = (canDefer: boolean) => computed(async () => tools.offer({ uses: [], canDefer }));
  const plain = await offering(false);
  const deferred = await offering(true);
  const body = await computed(async () => bodyOf(tools.offer({ uses: [], canDefer: true })));
  const watch = watchEventLoop();
  const indexing = await computed(() => tools.find('create an issue in the tracker', FOUND));
  const longest = watch.stop();
  const searching = await computed(() => tools.find('refund a payment', FOUND));
  return {
    plain: plain.cpuMs,
    deferred: deferred.cpuMs,
    body: body.cpuMs,
    indexing: indexing.cpuMs,
    longest: longest.cpuMs,
    searching: searching.cpuMs,
  };
}

function bodyOf({ tools, deferred }: ToolOffer): void {
  const isDeferred = true as const;
  const definitions: ToolDefinition[] = [...tools, ...deferred.map((tool) => ({ ...tool, isDeferred }))];
  const refused = { refusedThinking: new Set<string>(), withoutThinkingParameter: false, withoutDeferral: false };
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] as const;
  const { signal } = new AbortController();
  JSON.stringify(
    requestBody({ model: 'claude-sonnet-5-5', system: '', messages, tools: definitions, signal }, refused),
  );
}

/** Estimates from the length of what is sent. */
function tokens() {
  const { registry, tools } = toolset();
  const sum = (given: readonly ToolDefinition[]) =>
    toolsFor('anthropic', given).reduce(
      (total, { name, description, input_schema }) =>
        total + toolTokens({ name, description, inputSchema: input_schema }),
      0,
    );
  const offered = registry.offered();
  const servers = groupsOf(offered).filter(({ id }) => id.startsWith('mcp:'));
  const own = offered.filter(({ category }) => category !== 'mcp');
  const uses = offered
    .filter(({ category }) => category === 'mcp')
    .slice(0, FOUND)
    .map(({ name }) => ({ name, isFoundInHistory: false }));
  return {
    all: sum(offered),
    collapsed: sum(own) + servers.reduce((total, group) => total + groupTokens(group).collapsed, 0),
    plain: sum(tools.offer({ uses: [], canDefer: false }).tools),
    found: sum(tools.offer({ uses, canDefer: false }).tools),
    deferred: sum(tools.offer({ uses: [], canDefer: true }).tools),
  };
}
