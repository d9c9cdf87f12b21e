import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { SettingsView } from '../../../src-preload/contract/settings.ts';
import { STDIO_SERVER } from '../../fixtures/mcp/connections.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { SOON, WindowRig, type WindowRigOptions } from '../../fixtures/window-rig.ts';

/** A server that is a real process, from config.json to the model's request. */

type Bag = Record<string, unknown>;
const CLASSES = { parts: 'read', redescribe: 'read', mail: 'send' };
const yes = { answer: 'once' };
const no = { answer: 'deny' };

const configWith = (entry: Bag = {}, ...more: readonly string[]) => ({
  mcpServers: {
    fixture: { command: process.execPath, args: [STDIO_SERVER, 'claims', ...more], classes: CLASSES, ...entry },
  },
});

const view = (rig: WindowRig) => rig.request<SettingsView>('settings.get');
const offered = async (rig: WindowRig) =>
  (await view(rig)).tools.flatMap(({ name }) => (name.startsWith('fixture__') ? [name.slice(9)] : []));

/** A user confirmed the server and its classes, and accepted the tools that it then listed. */
async function accepted(options: WindowRigOptions = {}): Promise<WindowRig> {
  const rig = new WindowRig({ config: configWith(), ...options });
  const confirming = rig.request('settings.confirmPending');
  await rig.answer(yes);
  await rig.answer(yes);
  await confirming;
  await rig.answer(yes);
  await vi.waitFor(async () => expect(await offered(rig)).toContain('echo'), SOON);
  return rig;
}

/** What became of a call, and the card if somebody was asked; they say no unless told. */
async function decided(rig: WindowRig, tool: string, input: Bag = {}, answer: Bag = no) {
  const sent = await rig.request<{ id: string }>('conversations.send', {
    id: null,
    text: `/fixture__${tool} ${JSON.stringify(input)}`,
  });
  const ended = rig.turnEnded(sent.id);
  const asked = await Promise.race([ended.then(() => null), rig.card()]);
  if (asked !== null) await rig.answer(answer, asked);
  await ended;
  const events = rig.turnEvents(sent.id);
  const result = events.findLast(({ type }) => type === 'tool_result');
  return { asked, decision: events.findLast(({ type }) => type === 'decision'), result };
}

test('nothing of a server is offered before a user has seen what it listed', async () => {
  const rig = new WindowRig({ config: configWith() });
  const confirming = rig.request<SettingsView>('settings.confirmPending');
  expect(await rig.answer(yes)).toMatchObject({ kind: 'grant' });
  await rig.answer(yes);
  await confirming;
  const card = await rig.card();
  expect(card.parts).toHaveLength(6);
  expect(await offered(rig)).toEqual([]);
  expect((await view(rig)).unreviewedServers).toEqual(['fixture']);
  await rig.answer(no, card);
  expect(await offered(rig)).toEqual([]);
  const again = rig.request<SettingsView>('settings.confirmPending');
  await rig.answer(yes);
  expect((await again).unreviewedServers).toEqual([]);
  expect(await offered(rig)).toEqual(['echo', 'parts', 'note', 'mail', 'redescribe']);
});

test('a claim to read asks, the class that the user gave does not, sending always does', async () => {
  const rig = await accepted();
  const access = new Map((await view(rig)).tools.map((tool) => [tool.name, tool.access]));
  expect(['echo', 'parts', 'note', 'mail'].map((name) => access.get(`fixture__${name}`))).toEqual([
    'read',
    'read',
    'write',
    'send',
  ]);
  const claimed = await decided(rig, 'echo', { text: 'x' });
  expect(claimed.asked?.offers.length).toBeGreaterThan(0);
  expect(claimed.decision).toMatchObject({ answer: 'deny', by: 'user' });
  const given = await decided(rig, 'parts');
  expect(given).toMatchObject({ asked: null, decision: { answer: 'allow', reason: { code: 'mcp_read' } } });
  expect((await decided(rig, 'note')).asked).not.toBeNull();
  // The server's claim to read does not count beside what the user said.
  const sends = await decided(rig, 'mail', { to: 'ada@example.org' });
  expect(sends.asked).toMatchObject({ offers: [] });
  expect(sends.decision).toMatchObject({ answer: 'deny' });
});

test('a class that the user takes back counts at once', async () => {
  const rig = await accepted();
  expect((await decided(rig, 'parts')).asked).toBeNull();
  rig.writeConfig(configWith({ classes: { mail: 'send' } }));
  await vi.waitFor(async () => expect((await decided(rig, 'parts')).asked).not.toBeNull(), SOON);
});

test.each([
  ['outside', ['untrusted', 'private']],
  ['public', ['untrusted']],
  ['own', ['private']],
])('text that is declared %s marks %j', async (text, kinds) => {
  const rig = new WindowRig({ config: configWith({ text }) });
  const confirming = rig.request('settings.confirmPending');
  for (const _ of text === 'outside' ? [1, 2, 3] : [1, 2, 3, 4]) await rig.answer(yes);
  await confirming;
  await vi.waitFor(async () => expect(await offered(rig)).toContain('parts'), SOON);
  const { result } = await decided(rig, 'parts');
  const source = 'parts of the MCP server fixture';
  expect(result).toMatchObject({ marks: kinds.map((kind) => ({ kind, source })) });
});

test('a tool whose definition changes is withdrawn at once, until the user has seen the difference', async () => {
  const rig = await accepted();
  await decided(rig, 'redescribe');
  await vi.waitFor(async () => expect(await offered(rig)).not.toContain('echo'), SOON);
  expect(await offered(rig)).toEqual(['parts', 'note', 'mail', 'redescribe']);
  expect((await view(rig)).unreviewedServers).toEqual(['fixture']);
  const notices = rig.events.flatMap(({ name, data }) => (name === 'notice' ? [data as Bag] : []));
  expect(notices.filter(({ code }) => code === 'mcp_definitions')).toHaveLength(1);
  const reviewing = rig.request<SettingsView>('settings.confirmPending');
  const card = await rig.answer(yes);
  expect(card.parts).toMatchObject([{ kind: 'definition' }]);
  expect((await reviewing).unreviewedServers).toEqual([]);
  expect(await offered(rig)).toContain('echo');
});

test.each([false, true])(
  'a tool of the last session is called unless the server changed it meanwhile: %s',
  async (isChanged) => {
    const sign = join(mkdtempSync(join(tmpdir(), 'mcp-sign-')), 'changed');
    const first = await accepted({ config: configWith({ start: 'lazy' }, sign) });
    await first.close();
    if (isChanged) writeFileSync(sign, '');
    const second = new WindowRig({ like: first });
    await vi.waitFor(async () => expect(await offered(second)).toContain('echo'), SOON);
    const { result } = await decided(second, 'echo', { text: 'said' }, yes);
    expect(result).toMatchObject(isChanged ? { outcome: 'failed', isError: true } : { text: 'said', isError: false });
    expect((await offered(second)).includes('echo')).toBe(!isChanged);
    expect((await view(second)).unreviewedServers).toEqual(isChanged ? ['fixture'] : []);
  },
);

test('a server that was removed from config.json counts as new when it comes back', async () => {
  const rig = await accepted();
  rig.writeConfig({});
  await vi.waitFor(async () => expect(await offered(rig)).toEqual([]), SOON);
  rig.writeConfig(configWith());
  await vi.waitFor(async () => expect((await view(rig)).unconfirmed).toHaveLength(2), SOON);
  const confirming = rig.request<SettingsView>('settings.confirmPending');
  await rig.answer(yes);
  await rig.answer(yes);
  const card = await rig.card();
  expect(card.parts).toHaveLength(6);
  expect(await offered(rig)).toEqual([]);
  await rig.answer(no, card);
  await confirming;
  expect((await view(rig)).unreviewedServers).toEqual(['fixture']);
});

test('a picture in a result reaches the model as one', async () => {
  const api = await startMessagesApi({
    turns: [{ blocks: [{ type: 'tool_use', name: 'fixture__parts', input: {} }] }, { text: 'A picture.' }],
  });
  onTestFinished(() => api.close());
  const env = { ANTHROPIC_API_KEY: 'sk-ant-api03-fixture', ANTHROPIC_BASE_URL: api.url };
  const rig = await accepted({ env });
  const { events } = await rig.turn('Look.');
  expect(events.find(({ type }) => type === 'tool_result')).toMatchObject({
    parts: expect.arrayContaining([expect.objectContaining({ type: 'image', mediaType: 'image/png' })]),
  });
  const data = Buffer.from('twelve bytes').toString('base64');
  const [, request] = api.requests;
  expect(request?.body).toMatchObject({
    messages: expect.arrayContaining([
      {
        role: 'user',
        content: [
          expect.objectContaining({
            type: 'tool_result',
            content: [
              { type: 'text', text: expect.stringContaining('[image: image/png, 12 bytes]') },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
            ],
          }),
        ],
      },
    ]),
  });
});
