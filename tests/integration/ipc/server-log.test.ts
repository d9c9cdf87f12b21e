import { expect, test, vi } from 'vitest';
import type { AppEvents } from '../../../src-preload/contract/index.ts';
import type { ServerLogEntry } from '../../../src-preload/contract/server-diagnostics.ts';
import { STDIO_SERVER } from '../../fixtures/mcp/connections.ts';
import { SOON, WindowRig } from '../../fixtures/window-rig.ts';

const SECRET = 'a-password-of-the-server';
const config = {
  mcpServers: { fixture: { command: process.execPath, args: [STDIO_SERVER], env: { SERVICE_PASSWORD: SECRET } } },
};

/** A user confirmed the server and accepted its tools, without classes of their own. */
async function accepted(): Promise<WindowRig> {
  const rig = new WindowRig({ config });
  const confirming = rig.request('settings.confirmPending');
  await rig.answer({ answer: 'once' });
  await confirming;
  await rig.answer({ answer: 'once' });
  return rig;
}

const told = (rig: WindowRig) =>
  rig.events.flatMap(({ name, data }) => (name === 'serverLog' ? [data as AppEvents['serverLog']] : []));
const follow = (rig: WindowRig) =>
  rig.request<{ entries: ServerLogEntry[] }>('serverDiagnostics.followLog', { server: 'fixture' });
/** The fixture prints its whole environment in a result, and what it was told to stderr. */
const callEnvironment = (rig: WindowRig) => rig.turn('/fixture__environment {}');

test('the log of a server is told of while it is looked at, in order and without its secrets', async () => {
  const rig = await accepted();
  await vi.waitFor(async () => expect(JSON.stringify((await follow(rig)).entries)).toContain('tools/list'), SOON);
  const { entries } = await follow(rig);
  expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => index + 1));
  expect(entries.map(({ message }) => message?.method)).toContain('initialize');
  const calling = callEnvironment(rig);
  await rig.answer({ answer: 'once' });
  await calling;
  const more = () => told(rig).flatMap((each) => each.entries);
  await vi.waitFor(() => expect(more().some(({ message }) => message?.kind === 'result')).toBe(true), SOON);
  expect(more()[0]?.number).toBe(entries.length + 1);
  expect(more().map(({ number }) => number)).toEqual(more().map((_, index) => entries.length + 1 + index));
  const all = JSON.stringify([entries, more()]);
  expect(all).toContain('SERVICE_PASSWORD');
  expect(all).not.toContain(SECRET);
});

test('nobody is told any more once the page looks elsewhere, or is gone', async () => {
  const rig = await accepted();
  await follow(rig);
  await rig.request('serverDiagnostics.unfollowLog');
  const before = told(rig).length;
  const calling = callEnvironment(rig);
  await rig.answer({ answer: 'once' });
  await calling;
  expect(told(rig)).toHaveLength(before);
  await follow(rig);
  rig.assistant.appPage(false);
  rig.assistant.appPage(true);
  const again = callEnvironment(rig);
  await rig.answer({ answer: 'once' });
  await again;
  expect(told(rig)).toHaveLength(before);
});

test('a server whose entry changed is followed on, with a log of its own', async () => {
  const rig = await accepted();
  await vi.waitFor(async () => expect((await follow(rig)).entries.length).toBeGreaterThan(3), SOON);
  rig.writeConfig({ mcpServers: { fixture: { ...config.mcpServers.fixture, env: {} } } });
  await vi.waitFor(
    async () => expect((await rig.request<{ unconfirmed: unknown[] }>('settings.get')).unconfirmed).toHaveLength(1),
    SOON,
  );
  const confirming = rig.request('settings.confirmPending');
  await rig.answer({ answer: 'once' });
  await vi.waitFor(() => expect(told(rig).some(({ isNew }) => isNew)).toBe(true), SOON);
  await confirming;
});

test('of a server that nobody confirmed there is no log', async () => {
  const rig = new WindowRig({ config });
  expect((await follow(rig)).entries).toEqual([]);
});
