import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { STDIO_SERVER } from '../../fixtures/mcp/connections.ts';
import { type RunningProcess, runningProcesses } from '../../fixtures/process-table.ts';
import { SOON, WindowRig } from '../../fixtures/window-rig.ts';

const ALL_GONE_MS = 6_000;
const HEEDING_GONE_MS = 2_000;

/**
 * Starts Steward with servers that behave like this. `left` finds what lives of them by an argument that nothing else
 * has.
 */
async function withServers(behaviours: readonly string[]) {
  const token = `mcp-left-${randomUUID()}`;
  const servers = behaviours.map((behaviour, index) => [
    `s${index}`,
    { command: process.execPath, args: [STDIO_SERVER, behaviour, token] },
  ]);
  const rig = new WindowRig({ config: { mcpServers: Object.fromEntries(servers) } });
  const confirming = rig.request('settings.confirmPending');
  for (const _ of behaviours) await rig.answer({ answer: 'once' });
  const left = () => runningProcesses().filter(({ command }) => command.includes(token));
  // A review may wait for an answer until the end.
  confirming.catch(() => undefined);
  return { rig, left };
}

/** Quits, and says how long anything of the servers lived from then on. */
async function livedAfterQuit(rig: WindowRig, left: () => readonly RunningProcess[]): Promise<number> {
  const quitAt = performance.now();
  const closing = rig.close();
  await vi.waitFor(() => expect(left()).toEqual([]), { timeout: 20_000, interval: 20 });
  const livedMs = performance.now() - quitAt;
  await closing;
  return livedMs;
}

test('two seconds after quit no process of servers that end with their stdin lives', async () => {
  const { rig, left } = await withServers(['plain', 'garbage', 'late']);
  await vi.waitFor(() => expect(left()).toHaveLength(3), SOON);
  expect(await livedAfterQuit(rig, left)).toBeLessThan(HEEDING_GONE_MS);
});

test('six seconds after quit no server process lives: hanging, restarting, ignoring signals, or a grandchild in its own session', async () => {
  const behaviours = ['hang', 'dies-after', 'ignores-stdin-end', 'grandchildren'];
  const { rig, left } = await withServers(behaviours);
  // The grandchild wears the token as its title; the others have it as an argument.
  const isThere = (behaviour: string) => left().some(({ command }) => command.includes(`${behaviour} `));
  const hasGrandchild = () => left().some(({ command }) => command.startsWith('mcp-left-'));
  await vi.waitFor(() => {
    expect(behaviours.filter((behaviour) => behaviour !== 'dies-after' && !isThere(behaviour))).toEqual([]);
    expect(hasGrandchild()).toBe(true);
  }, SOON);
  expect(await livedAfterQuit(rig, left)).toBeLessThan(ALL_GONE_MS);
});
