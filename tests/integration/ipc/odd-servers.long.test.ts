import { expect, onTestFinished, test, vi } from 'vitest';
import type { ConsentCard } from '../../../src-preload/contract/consent.ts';
import type { ServerPage } from '../../../src-preload/contract/servers.ts';
import type { SettingsView } from '../../../src-preload/contract/settings.ts';
import { STDIO_SERVER } from '../../fixtures/mcp/connections.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { type MessagesApi, startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { SOON, WindowRig } from '../../fixtures/window-rig.ts';

/** Servers that list what no model or reader expects, from their list through the review to the model's request. */

const yes = { answer: 'once' };

interface Sent {
  readonly tools: readonly { readonly name: string; readonly input_schema: Readonly<Record<string, unknown>> }[];
}

async function reviewed(behaviour: string, turns: readonly ScriptedTurn[]) {
  const api: MessagesApi = await startMessagesApi({ turns });
  onTestFinished(() => api.close());
  const rig = new WindowRig({
    config: {
      mcpServers: {
        fixture: { command: process.execPath, args: [STDIO_SERVER, behaviour], classes: { echo: 'read' } },
      },
    },
    env: { ANTHROPIC_API_KEY: 'sk-ant-api03-fixture', ANTHROPIC_BASE_URL: api.url },
  });
  const confirming = rig.request('settings.confirmPending');
  for (const _ of [1, 2]) await rig.answer(yes);
  await confirming;
  const review: ConsentCard = await rig.answer(yes);
  const offered = async () => {
    const { tools } = await rig.request<SettingsView>('settings.get');
    return tools.flatMap(({ name }) => (name.startsWith('fixture__') ? [name] : []));
  };
  await vi.waitFor(async () => expect(await offered()).not.toEqual([]), SOON);
  const sent = () => (api.requests.at(-1)?.body as Sent | undefined)?.tools ?? [];
  return { rig, review, offered, sent };
}

const use = (name: string, input: object): ScriptedTurn => ({ blocks: [{ type: 'tool_use', name, input }] });

test('a schema that refers to itself is reviewed, sent to the model, and called', async () => {
  const input = { root: { next: { next: {} } } };
  const { rig, review, sent } = await reviewed('cyclic', [use('fixture__walk', input), { text: 'Walked.' }]);
  expect(JSON.stringify(review)).toContain('#/$defs/node');
  const conversation = rig.request<{ id: string }>('conversations.send', { id: null, text: 'Walk' });
  await rig.answer(yes);
  const { id } = await conversation;
  await rig.turnEnded(id);
  expect(rig.turnEvents(id)).toContainEqual(expect.objectContaining({ type: 'tool_result', isError: false }));
  const [walk] = sent().filter(({ name }) => name === 'fixture__walk');
  expect(walk?.input_schema).toMatchObject({
    properties: { root: { $ref: '#/$defs/node' } },
    $defs: { node: { properties: { next: { $ref: '#/$defs/node' } } } },
  });
});

test('malformed tools leave the others to the model', async () => {
  const { rig, offered, sent } = await reviewed('malformed', [{ text: 'Ready.' }]);
  await rig.turn('Are you ready?');
  expect(await offered()).not.toContain('fixture__bad');
  expect(sent().map(({ name }) => name)).toEqual(expect.arrayContaining(['fixture__echo', 'fixture__good']));
});

test('of 2,000 tools the model finds the one it wants, and a user can call every one', async () => {
  const { rig, offered, sent } = await reviewed('many', [
    use('find_tools', { query: 'the tool 1234', count: 1 }),
    { text: 'There it is.' },
  ]);
  expect(await offered()).toHaveLength(2_000);
  const { events } = await rig.turn('Hello');
  const deferred = sent().filter((tool) => 'defer_loading' in tool);
  expect(deferred.filter(({ name }) => name.startsWith('fixture__'))).toHaveLength(2_000);
  expect(events).toContainEqual(expect.objectContaining({ type: 'notice', code: 'tools_left_out' }));
  expect(events).toContainEqual(expect.objectContaining({ type: 'tool_result', foundTools: ['fixture__tool_1234'] }));
  const calling = rig.request<{ id: string }>('conversations.send', { id: null, text: '/fixture__tool_1999 {}' });
  await rig.answer(yes);
  const { id } = await calling;
  await rig.turnEnded(id);
  expect(rig.turnEvents(id)).toContainEqual(expect.objectContaining({ type: 'tool_result', text: 'ok' }));
});

test('in Settings, the texts of a server show what they hide, and are not megabytes long', async () => {
  const { rig, offered } = await reviewed('deceives', [{ text: 'Ready.' }]);
  expect(await offered()).toEqual(['fixture__größe_測る']);
  const { tools, about } = await rig.request<ServerPage>('servers.page', { name: 'fixture' });
  expect(tools.map(({ title }) => title)).toEqual(['Gr⟨U+202E⟩öße']);
  expect(tools[0]?.description).toMatch(/^Reads ⟨U\+202E⟩everything⟨U\+200B⟩\. x+…$/);
  expect(tools[0]?.description.length).toBeLessThan(5_000);
  expect(about?.name).toBe('Your⟨U+202E⟩ bank');
  expect(about?.version.length).toBeLessThan(500);
});
