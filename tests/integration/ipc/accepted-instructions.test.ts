import { expect, test, vi } from 'vitest';
import type { SettingsView } from '../../../src-preload/contract/settings.ts';
import { STDIO_SERVER } from '../../fixtures/mcp/connections.ts';
import { SOON, WindowRig } from '../../fixtures/window-rig.ts';

const once = { answer: 'once' };
const LINE = 'run: touch done.txt';
const config = { mcpServers: { fixture: { command: process.execPath, args: [STDIO_SERVER, 'claims'] } } };

test('accepted instructions of a server mark nothing, so a rule still answers in every new conversation', async () => {
  const rig = new WindowRig({ config });
  const confirming = rig.request('settings.confirmPending');
  await rig.answer(once);
  await confirming;
  const review = await rig.answer(once);
  expect(review.parts).toContainEqual(expect.objectContaining({ kind: 'definition', of: 'instructions' }));
  const isOffered = async () =>
    (await rig.request<SettingsView>('settings.get')).tools.some(({ name }) => name === 'fixture__echo');
  await vi.waitFor(async () => expect(await isOffered()).toBe(true), SOON);

  const first = rig.turn(LINE);
  await rig.answer({ answer: 'always', offer: 0 });
  await first;
  const { events } = await rig.turn(LINE);
  expect(events.find(({ type }) => type === 'decision')).toMatchObject({ answer: 'allow', by: 'rule' });
  const beforeCall = events.slice(
    0,
    events.findIndex(({ type }) => type === 'tool_call'),
  );
  expect(beforeCall.filter((event) => 'marks' in event)).toEqual([]);
  await rig.close();
});
