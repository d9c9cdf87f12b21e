import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { ModelProvider, ModelRequest } from '../../../src-main/models/provider.ts';
import { defineTool } from '../../../src-main/tools/define-tool.ts';
import { serverGroup } from '../../../src-main/tools/registry/tool-groups.ts';
import type { StoredEvent } from '../../../src-preload/contract/events.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { anyWords } from '../../fixtures/any-words.ts';
import { registerManyTools } from '../../fixtures/many-tools/registered.ts';
import { WISHES } from '../../fixtures/many-tools/wishes.ts';
import { MemoryEvents } from '../../fixtures/memory-events.ts';
import { anyModel } from '../../fixtures/scripted-model.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import { answerWithTools } from './offering-conversation.ts';

interface Call {
  readonly name: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

/** Calls the tools it was told to, one a round, then is done. */
class ScriptedModel implements ModelProvider {
  readonly requests: ModelRequest[] = [];
  readonly calls: Call[] = [];
  readonly name = anyModel.name;
  readonly isOffline = anyModel.isOffline;
  readonly limits = anyModel.limits;
  readonly list = anyModel.list;
  readonly price = anyModel.price;
  readonly remedies = anyModel.remedies;
  canDefer = false;
  definesDeferred = false;

  capabilities(model: string) {
    const defines = this.definesDeferred ? { definesDeferredTools: true as const } : {};
    return { ...anyModel.capabilities(model), deferredTools: this.canDefer, ...defines };
  }

  async *stream(request: ModelRequest) {
    this.requests.push(request);
    const call = this.calls.shift();
    const id = `call_${this.requests.length}`;
    if (call === undefined) yield { type: 'block', block: { type: 'text', text: 'Done.' } } as const;
    else yield { type: 'block', block: { type: 'tool_use', id, input: {}, ...call } } as const;
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
    yield { type: 'end', stopReason: call === undefined ? 'end_turn' : 'tool_use', usage } as const;
  }
}

const lateTool = defineTool({
  name: 'late',
  access: 'read',
  description: 'Give hay to the elephant.',
  input: z.object({}),
  words: anyWords,
  execute: async () => 'fed',
});

let harness: ToolHarness;
let provider: ScriptedModel;
let store: MemoryEvents;
beforeEach(() => {
  harness = new ToolHarness({ consent: allowAll });
  provider = new ScriptedModel();
  store = new MemoryEvents();
});
afterEach(() => harness.dispose());

/** A turn of a conversation whose tools are made anew, as after a restart. */
async function turn(...given: readonly (Call | { readonly text: string })[]): Promise<readonly StoredEvent[]> {
  provider.calls.push(...given.flatMap((each) => ('name' in each ? [each] : [])));
  const text = given.flatMap((each) => ('text' in each ? [each.text] : []))[0] ?? 'go';
  const before = store.events.length;
  await answerWithTools({ harness, store, provider, model: 'm' }, { content: [{ type: 'text', text }] });
  return store.events.slice(before);
}

const offered = (request = provider.requests.at(-1)) =>
  (request?.tools ?? []).flatMap(({ name, isDeferred }) => (isDeferred === true ? [] : [name]));
const results = (events: readonly StoredEvent[]) =>
  events.flatMap((event) => (event.type === 'tool_result' ? [event] : []));
const find = (query: string, count?: number): Call => ({
  name: 'find_tools',
  input: { query, ...(count === undefined ? {} : { count }) },
});

test('with up to 128 tools all of them are offered, and no find_tools', async () => {
  const events = await turn();
  const all = harness.registry.list().map(({ name }) => name);
  expect(offered()).toEqual(all.filter((name) => name !== 'find_tools'));
  expect(events.filter(({ type }) => type === 'notice')).toEqual([]);
});

test('of 2,000 tools, the one that a model wants is offered one round after it asked', async () => {
  registerManyTools(harness.registry);
  const [refund] = results(
    await turn(find('refund a payment to a customer'), { name: 'payments__refund_charge', input: { charge_id: 'x' } }),
  );
  expect(refund).toMatchObject({ outcome: 'completed', isError: false });
  expect(refund?.marks).toBeUndefined();
  const [first, second] = provider.requests;
  expect(offered(first)).toContain('find_tools');
  expect(offered(first)).not.toContain('payments__refund_charge');
  expect(first?.tools.find(({ name }) => name === 'find_tools')?.description).toMatch(/tracker, github, chat/);
  // What was offered stays where it is.
  const added = refund?.foundTools?.filter((name) => !offered(first).includes(name));
  expect(added).toContain('payments__refund_charge');
  expect(offered(second)).toEqual([...offered(first), ...(added ?? [])]);
  expect(results(store.events)[1]).toMatchObject({ text: 'payments__refund_charge ran', isError: false });
});

test('the places behind the basic tools are filled with what fits the first message, in the same way after a restart', async () => {
  registerManyTools(harness.registry);
  await turn();
  const before = offered();
  expect(before).toHaveLength(120);
  store = new MemoryEvents();
  await turn({ text: 'Which of my invoices are open? Refund the last charge.' }, find('transcribe a recording', 2));
  const [first, second] = provider.requests.slice(-2).map(offered);
  expect(first).toHaveLength(120);
  expect(first).toEqual(expect.arrayContaining(['payments__refund_charge', 'payments__list_invoices']));
  expect(before).not.toContain('payments__refund_charge');
  // Used by another conversation meanwhile, and another message: nothing is chosen again.
  const own = store;
  store = new MemoryEvents();
  await turn(find('org chart', 1), { name: 'people__get_org_chart', input: { employee_id: '1' } });
  store = own;
  await turn({ text: 'Scale the deployment' }, find('scale a deployment', 3));
  expect(provider.requests.slice(-2).map((request) => offered(request).slice(0, second?.length))).toEqual([
    second,
    second,
  ]);
  expect(offered().length).toBeGreaterThan(second?.length ?? 0);
});

test('tools that come later are found, and change nothing of what is offered', async () => {
  registerManyTools(harness.registry);
  await turn({ text: 'Refund the last charge.' });
  const before = offered();
  harness.registry.register({
    tool: { ...lateTool, name: 'zoo__feed_elephant' },
    category: 'mcp',
    group: serverGroup('zoo'),
  });
  harness.registry.buildAll();
  await turn(find('feed the elephant', 1));
  expect(offered(provider.requests.at(-2))).toEqual(before);
  expect(offered()).toEqual([...before, 'zoo__feed_elephant']);
});

test('the result names the tools, with the first sentence of what they say of themselves', async () => {
  registerManyTools(harness.registry);
  const events = await turn(find('create an issue in the tracker', 2), find('zzz'), find('issue', 99), find('mail', 0));
  const [two, none, most, least] = results(events);
  expect(two?.text).toBe(
    'Found 2 tools:\n- tracker__create_issue: Create a new issue.\n- tracker__create_issue_comment: Create a new issue comment.',
  );
  expect(two?.foundTools).toEqual(['tracker__create_issue', 'tracker__create_issue_comment']);
  expect(none?.text).toBe('No tools found for "zzz".');
  expect(none?.foundTools).toBeUndefined();
  expect([most?.foundTools?.length, least?.foundTools?.length]).toEqual([20, 1]);
});

test('a tool stays offered while it is used, also after a restart, and gives way to those found since', async () => {
  registerManyTools(harness.registry);
  const room = 128 - harness.registry.list().filter(({ name }) => !name.includes('__')).length;
  await turn(find('refund a payment to a customer', 1), { name: 'payments__refund_charge', input: { charge_id: '1' } });
  await turn();
  expect(offered()).toContain('payments__refund_charge');
  // Found and never called.
  await turn(find('create an issue in the tracker', 1));
  const searches = Array.from({ length: Math.ceil(room / 20) }, (_, index) =>
    find(WISHES[index * 3 + 4]?.[0] ?? '', 20),
  );
  await turn(
    ...searches.slice(0, -1),
    { name: 'payments__refund_charge', input: { charge_id: '2' } },
    ...searches.slice(-1),
  );
  expect(offered()).toHaveLength(128);
  expect(offered()).toContain('payments__refund_charge');
  expect(offered()).not.toContain('tracker__create_issue');
});

test('a tool that another conversation used is offered at once', async () => {
  registerManyTools(harness.registry);
  await turn(find('refund a payment to a customer', 1), { name: 'payments__refund_charge', input: { charge_id: '1' } });
  store = new MemoryEvents();
  await turn();
  expect(offered()[offered().indexOf('find_tools') + 1]).toBe('payments__refund_charge');
});

test('the user is told once, with the way to reach the others', async () => {
  registerManyTools(harness.registry);
  await turn(find('play music'));
  await turn();
  const notices = store.events.flatMap((event) => (event.type === 'notice' ? [event] : []));
  expect(notices).toEqual([
    expect.objectContaining({ code: 'tools_left_out', message: expect.stringMatching(/find_tools/) }),
  ]);
});

test('with find_tools switched off, as many tools are offered as fit', async () => {
  registerManyTools(harness.registry);
  await harness.registry.disable(['find_tools']);
  const [refused] = results(await turn(find('play music')));
  expect(refused).toMatchObject({ outcome: 'failed', text: 'Error: Tool is disabled: find_tools' });
  expect(offered()).toHaveLength(128);
  expect(offered()).not.toContain('find_tools');
});

test('a tool that is switched off is not found', async () => {
  registerManyTools(harness.registry);
  await harness.registry.disable(['tracker__*']);
  const [found] = results(await turn(find('create an issue in the tracker', 20)));
  expect(found?.foundTools?.filter((name) => name.startsWith('tracker__'))).toEqual([]);
});

test('where the service takes deferred tools, all are in the request, in the same order before and after', async () => {
  registerManyTools(harness.registry);
  provider.canDefer = true;
  provider.definesDeferred = true;
  await turn(find('create an issue in the tracker', 1), { name: 'tracker__create_issue', input: { name: 'x' } });
  await turn();
  const [first, ...later] = provider.requests;
  expect(first?.tools).toHaveLength(harness.registry.list().length);
  expect(later).toHaveLength(3);
  for (const { tools } of later) expect(tools).toEqual(first?.tools);
  // They are as near as those in front, which are only the basic ones.
  expect(offered(first).filter((name) => name.includes('__'))).toEqual([]);
  const history = provider.requests.at(-1)?.messages.flatMap(({ content }) => content.map((block) => block)) ?? [];
  expect(history).toContainEqual(expect.objectContaining({ foundTools: ['tracker__create_issue'] }));
});
