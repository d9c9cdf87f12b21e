import { expect, onTestFinished, test } from 'vitest';
import { McpManager } from '../../../src-main/mcp/manager.ts';
import type { McpServerConfig } from '../../../src-main/settings/config-schema.ts';
import type { KnownServerRecord } from '../../../src-main/storage/records/known-servers.ts';
import { connectionPorts, isAlive, STDIO_SERVER, stdioConfig, toldTo, until } from '../../fixtures/mcp/connections.ts';
import { knownServersIn, serverNotesIn } from '../../fixtures/mcp/known-servers.ts';
import { ownTimeMs } from '../../fixtures/own-time.ts';

const still = new AbortController().signal;
const plain = stdioConfig([STDIO_SERVER]);

function managerWith(records = new Map<string, KnownServerRecord>()): McpManager {
  const { secretOf: _secret, keep: _keep, ...ports } = connectionPorts();
  const manager = new McpManager({
    ...ports,
    secretOf: async () => undefined,
    knownServers: knownServersIn(records),
    notes: serverNotesIn(),
    now: () => new Date(),
  });
  onTestFinished(() => manager.close());
  return manager;
}

const stateOf = (manager: McpManager, name: string) => manager.get(name)?.state.name;

test('servers start at once and by themselves; one that fails or hangs holds nobody up', async () => {
  const manager = managerWith();
  const startedAt = ownTimeMs();
  manager.apply({
    hangs: stdioConfig([STDIO_SERVER, 'hang']),
    absent: stdioConfig([], { command: 'no-such-program-here' }),
    off: { ...plain, enabled: false },
    one: plain,
    two: plain,
  });
  expect(ownTimeMs() - startedAt).toBeLessThan(100);
  await until(() => stateOf(manager, 'one') === 'ready' && stateOf(manager, 'two') === 'ready');
  expect(stateOf(manager, 'hangs')).toBe('starting');
  await until(() => stateOf(manager, 'absent') === 'failed');
  expect(stateOf(manager, 'off')).toBe('off');
  expect(manager.servers.filter(({ mayBeCalled }) => mayBeCalled).map(({ name }) => name)).toEqual(['one', 'two']);
});

test('changes of config.json take effect while it runs, and only on what they change', async () => {
  const manager = managerWith();
  manager.apply({ kept: plain, changed: plain, removed: plain, paused: plain });
  await until(() => manager.servers.every(({ state }) => state.name === 'ready'));
  const pids = Object.fromEntries(manager.servers.map(({ name, pid }) => [name, pid ?? 0]));
  const changed: McpServerConfig = { ...plain, env: { SPEED: 'high' } };
  manager.apply({ kept: { ...plain, timeoutSeconds: 5 }, changed, paused: { ...plain, enabled: false } });
  expect(manager.get('removed')).toBeUndefined();
  await until(() => !isAlive(pids.removed ?? 0) && !isAlive(pids.changed ?? 0) && !isAlive(pids.paused ?? 0));
  await until(() => stateOf(manager, 'changed') === 'ready');
  expect(manager.get('kept')?.pid).toBe(pids.kept);
  expect(manager.get('kept')?.config.timeoutSeconds).toBe(5);
  await until(() => stateOf(manager, 'paused') === 'off');
  manager.apply({ kept: plain, changed, paused: plain });
  await until(() => stateOf(manager, 'paused') === 'ready');
});

test('a call that waited while its server was removed, changed or switched off does not start it again', async () => {
  const manager = managerWith();
  manager.apply({ removed: plain, changed: plain, off: plain, kept: plain });
  await until(() => manager.servers.every(({ state }) => state.name === 'ready'));
  const before = manager.servers;
  manager.apply({ changed: { ...plain, env: { SPEED: 'high' } }, off: { ...plain, enabled: false }, kept: plain });
  await until(() => before.every(({ name, state }) => name === 'kept' || state.name === 'off'));
  const outcomes = await Promise.all(
    before.map(async (connection) => {
      const call = connection.call('echo', { text: 'late' }, { signal: still });
      return [connection.name, await call.then(() => 'made').catch(({ problem }) => problem.code), connection.pid];
    }),
  );
  expect(outcomes).toEqual([
    ['removed', 'not_connected', undefined],
    ['changed', 'not_connected', undefined],
    ['off', 'not_connected', undefined],
    // The control: nothing else keeps such a call back.
    ['kept', 'made', expect.any(Number)],
  ]);
});

test('the tools of the last session are there at once; a lazy server starts at its first call', async () => {
  const records = new Map<string, KnownServerRecord>();
  const first = managerWith(records);
  first.apply({ lazy: { ...plain, start: 'lazy' }, eager: plain });
  // Never asked before, so it is asked once.
  await first.listed(still);
  await until(() => records.size === 2);
  await first.close();

  const second = managerWith(records);
  second.apply({ lazy: { ...plain, start: 'lazy' }, eager: plain });
  expect(second.servers.map(({ mayBeCalled, list }) => mayBeCalled && (list?.tools.length ?? 0) > 0)).toEqual([
    true,
    true,
  ]);
  await second.listed(still);
  await until(() => stateOf(second, 'eager') === 'ready');
  expect(stateOf(second, 'lazy')).toBe('off');
  const lazy = second.get('lazy');
  expect((await lazy?.call('echo', { text: 'x' }, { signal: still }))?.parts).toEqual([{ type: 'text', text: 'x' }]);
  expect(stateOf(second, 'lazy')).toBe('ready');
  // Its era was known too.
  expect(lazy === undefined ? [] : toldTo(lazy).map(({ received }) => received)).not.toContain('server/discover');
  await second.close();

  const third = managerWith(records);
  third.apply({ lazy: { ...plain, start: 'lazy', args: [STDIO_SERVER, 'cyclic'] } });
  expect(third.get('lazy')?.list).toBeUndefined();
  await third.listed(still);
  expect(third.get('lazy')?.list?.tools[0]?.name).toBe('walk');
});

test('waiting for tool lists ends on abort, while the servers go on starting', async () => {
  const manager = managerWith();
  manager.apply({ hangs: stdioConfig([STDIO_SERVER, 'hang']) });
  const waiting = new AbortController();
  const listed = manager.listed(waiting.signal);
  await until(() => stateOf(manager, 'hangs') === 'starting');
  waiting.abort();
  await listed;
  // An abort that came before the waiting counts too.
  await manager.listed(waiting.signal);
  expect(stateOf(manager, 'hangs')).toBe('starting');
});

test('closing ends all of them, side by side, and nothing comes back', async () => {
  const manager = managerWith();
  manager.apply({
    deaf: stdioConfig([STDIO_SERVER, 'ignores-stdin-end']),
    deaf2: stdioConfig([STDIO_SERVER, 'ignores-stdin-end']),
    starting: stdioConfig([STDIO_SERVER, 'hang']),
    heeding: plain,
  });
  await until(() => ['deaf', 'deaf2', 'heeding'].every((name) => stateOf(manager, name) === 'ready'));
  const pids = manager.servers.flatMap(({ pid }) => pid ?? []);
  const startedAt = ownTimeMs();
  await manager.close();
  expect(ownTimeMs() - startedAt).toBeLessThan(6_000);
  expect(pids.filter(isAlive)).toEqual([]);
  manager.apply({ again: plain });
  expect(manager.servers).toEqual([]);
});
