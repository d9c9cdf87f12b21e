import { expect, test, vi } from 'vitest';
import type { SettingsView } from '../../../src-preload/contract/settings.ts';
import { ADMIN_KEY, startAdminApi } from '../../fixtures/anthropic-admin/server.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { startBrave } from '../../fixtures/web-search/brave.ts';
import { BRAVE_KEY } from '../../fixtures/web-search/brave-answer.ts';
import { SOON, WindowRig } from '../../fixtures/window-rig.ts';

/** The tools that are there; others are shown with what they need. */
const toolNames = ({ tools }: SettingsView) => tools.flatMap(({ name, needs }) => (needs === undefined ? [name] : []));

/** What a message that is sent now offers the model. */
async function offered(rig: WindowRig, requests: readonly { readonly body: unknown }[]): Promise<readonly string[]> {
  await rig.turn('hello');
  const body = requests.at(-1)?.body as { tools: { name: string }[] } | undefined;
  return body?.tools.map(({ name }) => name) ?? [];
}

test.each([
  { key: 'brave-api-key', value: BRAVE_KEY, tool: 'web_search' },
  { key: 'anthropic-admin-api-key', value: ADMIN_KEY, tool: 'anthropic_usage' },
])('$tool comes and goes with $key, without a restart', async ({ key, value, tool }) => {
  const model = await startMessagesApi();
  const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-ant-api03-of-the-model' };
  const rig = new WindowRig({ env });
  expect(toolNames(await rig.request('settings.get'))).not.toContain(tool);
  const before = await offered(rig, model.requests);
  expect(before).toContain('read_file');
  expect(before).not.toContain(tool);

  expect(toolNames(await rig.setKey(key, value))).toContain(tool);
  expect(await offered(rig, model.requests)).toContain(tool);

  expect(toolNames(await rig.request('settings.removeKey', { name: key }))).not.toContain(tool);
  expect(await offered(rig, model.requests)).toEqual(before);
  await model.close();
});

test('a key from settings is the one that is sent, to where the settings say', async () => {
  const brave = await startBrave({ rows: [{ title: 'Found', url: 'https://a.example/' }] });
  const admin = await startAdminApi({ cost: [{ starting_at: '2025-08-01T00:00:00Z', results: [] }] });
  const rig = new WindowRig({ config: { endpoints: { brave: brave.url, anthropic: admin.url } } });
  const confirming = rig.request('settings.confirmPending');
  for (let confirmed = 0; confirmed < 2; confirmed++) await rig.answer({ answer: 'once' });
  await confirming;
  await rig.setKey('brave-api-key', BRAVE_KEY);
  await rig.setKey('anthropic-admin-api-key', ADMIN_KEY);

  const result = async (prompt: string) => {
    const { events } = await rig.turn(prompt);
    return events.find(({ type }) => type === 'tool_result');
  };
  // Configured endpoints are exempt from the question about one's own network.
  expect(await result('/web_search {"query":"x"}')).toMatchObject({
    text: 'Search: "x" | Results: 1\n\n1. Found\n   https://a.example/',
    card: { kind: 'results' },
  });
  expect(await result('/anthropic_usage {"action":"cost","starting_at":"2025-08-01T00:00:00Z"}')).toMatchObject({
    text: expect.stringMatching(/^Cost Report:\n\{/),
    card: { kind: 'table' },
  });
  expect(JSON.stringify(rig.events)).not.toContain(BRAVE_KEY);
  expect(JSON.stringify(rig.events)).not.toContain(ADMIN_KEY);
});

test('a provider that needs no key is offered as soon as config.json names it', async () => {
  const rig = new WindowRig();
  expect(toolNames(await rig.request('settings.get'))).not.toContain('web_search');
  rig.writeConfig({ tools: { webSearchProvider: 'duckduckgo' } });
  await vi.waitFor(async () => expect(toolNames(await rig.request('settings.get'))).toContain('web_search'), SOON);
  rig.writeConfig({ tools: { webSearchProvider: 'brave' } });
  await vi.waitFor(async () => expect(toolNames(await rig.request('settings.get'))).not.toContain('web_search'), SOON);
});
