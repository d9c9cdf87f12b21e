import { expect, test } from 'vitest';
import type { ServerLogEntry } from '../../../src-preload/contract/server-diagnostics.ts';
import { logText, matchingEntries, rowsInView, summaryOf } from '../../../src-renderer/settings/servers/log-entries.ts';
import { LogStore } from '../../../src-renderer/settings/servers/log-store.svelte.ts';
import { bridgeOver } from '../../../src-renderer/ui/bridge.ts';
import { fakeBridge } from '../../fixtures/gallery/fake-bridge.ts';

const entry = (number: number, more: Partial<ServerLogEntry> = {}): ServerLogEntry => ({
  number,
  at: 0,
  kind: 'stderr',
  text: `line ${number}`,
  ...more,
});
const call = entry(2, {
  kind: 'received',
  text: '{"result":{}}',
  message: { kind: 'result', method: 'tools/call', id: 4, bytes: 12_345, afterMs: 40 },
});
const log = [entry(1), call, entry(3, { kind: 'state', text: 'ready' }), entry(4, { kind: 'stray', text: 'Loading' })];

test('the log is narrowed by kind and by what its lines and their methods hold', () => {
  const numbers = (...given: [Parameters<typeof matchingEntries>[1], string]) =>
    matchingEntries(log, ...given).map(({ number }) => number);
  expect(numbers('all', ' ')).toEqual([1, 2, 3, 4]);
  expect(numbers('stderr', '')).toEqual([1, 4]);
  expect(numbers('messages', '')).toEqual([2]);
  expect(numbers('events', '')).toEqual([3]);
  expect(numbers('all', 'LOADING')).toEqual([4]);
  expect(numbers('all', 'tools/call')).toEqual([2]);
  expect(numbers('stderr', 'tools/call')).toEqual([]);
});

test('of a message one sees method, id, size and time, also in what is copied', () => {
  expect(summaryOf(call)).toBe('tools/call #4 · result · 12 kB · 40 ms');
  expect(logText([call])).toContain('tools/call #4');
});

test('of ten thousand rows those in view are drawn, with a few around them', () => {
  const drawn = rowsInView(130_000, 350, 26, 10_000);
  expect(drawn.start).toBeLessThanOrEqual(5_000);
  expect(drawn.end).toBeGreaterThan(5_013);
  expect(drawn.end - drawn.start).toBeLessThan(50);
  expect(rowsInView(9_999_999, 350, 26, 10)).toEqual({ start: 10, end: 10 });
  expect(rowsInView(0, 0, 26, 0)).toEqual({ start: 0, end: 0 });
});

test('the store follows its server only, takes nothing twice, and begins anew with a new server', async () => {
  const fake = fakeBridge<'app'>({
    'serverDiagnostics.followLog': { entries: [entry(1), entry(2)] },
    'serverDiagnostics.unfollowLog': null,
  });
  const store = new LogStore(bridgeOver<'app'>(fake.preload), 'mine');
  const stop = store.start();
  await expect.poll(() => store.entries?.length).toBe(2);
  const numbers = () => store.entries?.map(({ number }) => number);
  fake.emit('serverLog', { server: 'other', entries: [entry(3)], isNew: false });
  fake.emit('serverLog', { server: 'mine', entries: [entry(2), entry(3)], isNew: false });
  expect(numbers()).toEqual([1, 2, 3]);
  fake.emit('serverLog', { server: 'mine', entries: [entry(1)], isNew: true });
  expect(numbers()).toEqual([1]);
  stop();
  fake.emit('serverLog', { server: 'mine', entries: [entry(2)], isNew: false });
  expect(numbers()).toEqual([1]);
  expect(fake.requests.at(-1)?.route).toBe('serverDiagnostics.unfollowLog');
});
