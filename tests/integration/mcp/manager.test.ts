import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { McpManager } from '../../../src-main/mcp/manager.ts';
import { StartPlaces } from '../../../src-main/mcp/start-places.ts';
import type { McpServerConfig } from '../../../src-main/settings/config-schema.ts';
import type { KnownServerRecord } from '../../../src-main/storage/records/known-servers.ts';
import type { ServerNotes } from '../../../src-main/storage/records/server-notes.ts';
import {
  connectionPorts,
  httpConfig,
  isAlive,
  STDIO_SERVER,
  stdioConfig,
  toldTo,
  until,
} from '../../fixtures/mcp/connections.ts';
import { knownServersIn, serverNotesIn } from '../../fixtures/mcp/known-servers.ts';
import { ownTimeMs } from '../../fixtures/own-time.ts';

const still = new AbortController().signal;
const plain = stdioConfig([STDIO_SERVER]);

interface Rig {
  readonly records?: Map<string, KnownServerRecord>;
  readonly notes?: Map<string, ReturnType<ServerNotes['get']>>;
  readonly places?: StartPlaces;
  readonly endByItselfMs?: number;
  readonly now?: () => Date;
}

function managerWith({
  records = new Map(),
  notes = new Map(),
  now = () => new Date(),
  ...more
}: Rig = {}): McpManager {
  const { secretOf: _secret, keep: _keep, ...ports } = connectionPorts();
  const manager = new McpManager({
    ...ports,
    secretOf: async () => undefined,
    knownServers: knownServersIn(records),
    notes: serverNotesIn(notes, now),
    now,
    ...more,
  });
  onTestFinished(() => manager.close());
  return manager;
}

const stateOf = (manager: McpManager, name: string) => manager.get(name)?.state.name;

test('servers start by themselves; one that fails or hangs delays no other', async () => {
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
  const first = managerWith({ records });
  first.apply({ lazy: { ...plain, start: 'lazy' }, eager: plain });
  // The server was never asked before, so it is asked once.
  await first.listed(still);
  await until(() => records.size === 2);
  await first.close();

  const second = managerWith({ records });
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
  // The era of this server was known too.
  expect(lazy === undefined ? [] : toldTo(lazy).map(({ received }) => received)).not.toContain('server/discover');
  await second.close();

  const third = managerWith({ records });
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

/** The names in the order in which their programs were started. */
function startsOf(manager: McpManager): readonly string[] {
  const begun = manager.servers.flatMap(({ name, log }) => {
    const first = log.entries.find(({ kind }) => kind === 'stderr');
    return first === undefined ? [] : [{ name, at: first.at }];
  });
  return begun.sort((a, b) => a.at - b.at).map(({ name }) => name);
}

test('programs start one after the other where there is one place: those used last first; what is called comes before', async () => {
  const records = new Map<string, KnownServerRecord>();
  const notes = new Map<string, ReturnType<ServerNotes['get']>>();
  const names = ['never', 'early', 'late', 'called'];
  const servers = Object.fromEntries(names.map((name) => [name, plain]));
  let minutes = 0;
  const first = managerWith({ records, notes, now: () => new Date(Date.UTC(2026, 0, 1, 0, minutes)) });
  first.apply(servers);
  await first.listed(still);
  for (const name of ['early', 'late']) {
    minutes += 5;
    await first.get(name)?.call('echo', { text: 'x' }, { signal: still });
  }
  await first.close();
  expect([...notes.keys()]).toEqual(['early', 'late']);

  const second = managerWith({ records, notes, places: new StartPlaces({ count: 1 }) });
  second.apply(servers);
  const call = second.get('called')?.call('echo', { text: 'x' }, { signal: still });
  await until(() => second.servers.every(({ state }) => state.name === 'ready'));
  await call;
  expect(startsOf(second)).toEqual(['called', 'late', 'early', 'never']);
});

test('a server that hangs gives its place away, a remote one needs none, and the time counts from its own start', async () => {
  const manager = managerWith({ places: new StartPlaces({ count: 1, keptForMs: 1_500 }) });
  manager.apply({
    hangs: stdioConfig([STDIO_SERVER, 'hang']),
    next: plain,
    remote: httpConfig('http://127.0.0.1:1/mcp'),
  });
  await until(() => stateOf(manager, 'remote') === 'failed');
  expect(manager.get('next')?.log.entries.filter(({ kind }) => kind === 'stderr')).toEqual([]);
  await until(() => stateOf(manager, 'next') === 'ready');
  expect(stateOf(manager, 'hangs')).toBe('starting');
});

test('a turn waits a moment for a server that was never listed, and then no turn does until it has listed its tools', async () => {
  const records = new Map<string, KnownServerRecord>();
  const notes = new Map<string, ReturnType<ServerNotes['get']>>();
  const sign = join(mkdtempSync(join(tmpdir(), 'mcp-gate-')), 'open');
  const servers = {
    gated: stdioConfig([STDIO_SERVER, 'gated', sign], { start: 'lazy' }),
    absent: stdioConfig([], { command: 'no-such-program-here' }),
    plain,
  };
  const first = managerWith({ records, notes });
  first.apply(servers);
  expect(await first.listedSoon(still, 1_000)).toEqual(['gated']);
  expect(stateOf(first, 'absent')).toBe('failed');
  // It is on its way, and nobody waits any more: an hour would be too long for this test.
  expect(await first.listedSoon(still, 3_600_000)).toEqual(['gated']);
  await first.close();

  // It is not asked in the next session either.
  const second = managerWith({ records, notes });
  second.apply(servers);
  expect(second.unlisted.map(({ name }) => name)).toEqual(['gated', 'absent']);
  expect(await second.listedSoon(still, 3_600_000)).toContain('gated');
  writeFileSync(sign, '');
  // Whoever asks for all of them waits.
  expect(await second.listed(still, { names: ['gated'] })).toEqual([]);
  expect(second.get('gated')?.list?.tools[0]?.name).toBe('echo');
  await second.close();
  expect(notes.get('gated')?.silentAs).toBeUndefined();

  // Another entry is another server.
  rmSync(sign);
  const third = managerWith({ records, notes });
  third.apply({ gated: { ...servers.gated, env: { OTHER: '1' } } });
  const waiting = new AbortController();
  const listed = third.listedSoon(waiting.signal, 3_600_000);
  await until(() => stateOf(third, 'gated') === 'starting');
  waiting.abort();
  expect(await listed).toEqual(['gated']);
});

test('a server that could not list its tools is not waited for either', async () => {
  const notes = new Map<string, ReturnType<ServerNotes['get']>>();
  const manager = managerWith({ notes });
  manager.apply({ locked: stdioConfig([STDIO_SERVER, 'list-fails']) });
  expect(await manager.listedSoon(still)).toEqual([]);
  expect(stateOf(manager, 'locked')).toBe('listing-failed');
  expect(notes.get('locked')?.silentAs).toEqual(expect.any(String));
  manager.apply({});
  expect(notes.size).toBe(0);
});

test('servers that do not end by themselves get as long as the surface says', async () => {
  const manager = managerWith({ endByItselfMs: 300 });
  manager.apply({ deaf: stdioConfig([STDIO_SERVER, 'ignores-stdin-end']) });
  await until(() => stateOf(manager, 'deaf') === 'ready');
  const startedAt = ownTimeMs();
  await manager.close();
  expect(ownTimeMs() - startedAt).toBeLessThan(2_000);
});
