import { expect, test } from 'vitest';
import { webSearchGate } from '../../../src-main/tools/web/search/web-search.ts';
import { askRig, ofType } from '../../fixtures/ask.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { startBrave } from '../../fixtures/web-search/brave.ts';
import { BRAVE_KEY } from '../../fixtures/web-search/brave-answer.ts';

const SEARCH = '/web_search {"query":"tea"}';
const WITH_KEY = { env: { BRAVE_API_KEY: BRAVE_KEY } };

test('a tool that needs a key exists only while the key is set', async () => {
  const brave = await startBrave({ rows: [{ title: 'Tea', url: 'https://a.example/', description: 'Hot' }] });
  const rig = askRig({ config: { endpoints: { brave: brave.url } } });
  const found = await rig.run(['--approve', 'all', SEARCH], WITH_KEY);
  expect(found.stdout).toBe('Search: "tea" | Results: 1\n\n1. Tea\n   https://a.example/\n   Hot\n');
  const { events } = await rig.events([SEARCH]);
  expect(ofType(events, 'decision')).toMatchObject([{ answer: 'deny', reasonCode: 'tool_unavailable' }]);
  expect((await rig.run(['/tools list'], WITH_KEY)).stdout).toMatch(/^web_search +enabled +network /m);
  expect((await rig.run(['/tools list'])).stdout).toContain(webSearchGate.needs);
  expect(brave.requests).toHaveLength(1);
});

test('a model is offered it', async () => {
  const api = await startMessagesApi();
  const rig = askRig({ api: api.url });
  await rig.run(['hello'], WITH_KEY);
  await rig.run(['hello']);
  const offered = api.requests.map(({ body }) => JSON.stringify((body as { tools: unknown }).tools));
  expect(offered.map((tools) => tools.includes('"web_search"'))).toEqual([true, false]);
  await api.close();
});
