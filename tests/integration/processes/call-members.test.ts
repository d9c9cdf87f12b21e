import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { CallMarkers, markedEnvironment } from '../../../src-main/processes/call-marker.ts';
import { MemberSearch } from '../../../src-main/processes/call-members.ts';
import { endCalls, endCallsNow } from '../../../src-main/processes/end-calls.ts';
import { numberedBefore, runningBefore } from '../../../src-main/processes/proc-filesystem.ts';
import { type ProcessEntry, psTable, startOf } from '../../../src-main/processes/process-table.ts';
import { WATCHER_SCRIPT } from '../../../src-main/processes/watcher-script.ts';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

const marker = new CallMarkers().next();

/** Starts a process that carries the marker from its first moment, and whose parent doesn't count. */
function marked(options: { uid?: number } = {}): ChildProcess & { pid: number } {
  const child = spawn('sleep', ['600'], {
    stdio: 'ignore',
    detached: true,
    cwd: '/',
    ...options,
    env: markedEnvironment({ PATH: process.env.PATH }, marker),
  });
  started.push(child);
  return Object.assign(child, { pid: child.pid ?? 0 });
}

const found = (call: { leader?: number; startedAt: number }, known?: readonly ProcessEntry[]) => {
  const search = new MemberSearch([{ leader: undefined, marker, ...call }], known);
  search.lookNow();
  return search.living().map(({ pid }) => pid);
};
const entryOf = (pid: number): ProcessEntry => {
  const search = new MemberSearch([{ leader: pid, marker, startedAt: 0 }]);
  search.lookNow();
  const [entry] = search.living();
  if (entry === undefined) throw new TypeError(`${pid} is not there`);
  return entry;
};

test('processes with the marker are found, but none that started before the call', () => {
  const child = marked();
  const startedAt = startOf(child.pid);
  expect(found({ startedAt })).toEqual([child.pid]);
  expect(found({ startedAt: startedAt + 1 })).toEqual([]);
  // The process is not even found where it is in the group of the call.
  expect(found({ leader: child.pid, startedAt: startedAt + 1 })).toEqual([]);
});

test('a reused pid does not count', async () => {
  const stranger = spawn('sleep', ['600'], { stdio: 'ignore', detached: true });
  started.push(stranger);
  const entry = entryOf(stranger.pid ?? 0);
  const earlier = { ...entry, startedAt: entry.startedAt - 1 };
  const call = { leader: undefined, marker, startedAt: 0 };
  expect(await endCalls([call], { graceMs: 0, known: [earlier] })).toBe(true);
  endCallsNow([call], [earlier]);
  expect(found({ startedAt: 0 }, [earlier])).toEqual([]);
  expect([stranger.signalCode, stateOf(entry.pid)]).toEqual([null, 'S']);
  expect(await endCalls([call], { graceMs: 0, known: [entry] })).toBe(true);
  await expect.poll(() => stranger.signalCode).not.toBe(null);
});

test('a process of another user is not found by the marker', () => {
  const own = marked();
  if (process.getuid?.() === 0) {
    const { pid } = marked({ uid: 65_534 });
    expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).toContain(marker);
  }
  expect(found({ startedAt: startOf(own.pid) })).toEqual([own.pid]);
});

test('an earlier process id is told from a later use of it, as long as ids cannot have wrapped around', () => {
  const [before, pid, after] = [1, 2, 3].map(() => spawnSync('true').pid);
  if (before === undefined || pid === undefined || after === undefined) throw new TypeError('Nothing was started');
  const isBefore = numberedBefore(pid, 10);
  // Where they have just gone round, the first is the highest.
  expect([before, pid, after].map(isBefore)).toEqual([true, false, false]);
  expect(numberedBefore(pid, 24 * 3_600_000)(before)).toBe(false);
});

test('what was started before a process is told from the process and what it starts', () => {
  const earlier = marked();
  const own = marked();
  const isBefore = runningBefore(own.pid);
  const later = marked();
  expect([process.pid, earlier.pid, own.pid, later.pid].map(isBefore)).toEqual([true, true, false, false]);
});

test('a watcher that receives malformed lines ends nothing', () => {
  const stranger = marked();
  const lines = [
    'garbage',
    `0 ${marker.slice(0, 10)} /`,
    '0 / /',
    '0 =,:,-,ffff 0 1 -1 x / 0 1 -1 *',
    `${stranger.pid} /`,
    '',
  ];
  for (const line of lines) {
    const script = `kill() { echo "kill $*"; }\n${WATCHER_SCRIPT}`;
    const { stdout } = spawnSync('/bin/sh', ['-c', script], { input: `${line}\n`, encoding: 'utf8' });
    // Whether a leader lives may be asked.
    expect(stdout.split('\n').filter((each) => each !== '' && !each.startsWith('kill -0 '))).toEqual([]);
  }
  const { stdout } = spawnSync('/bin/sh', ['-c', `kill() { [ "$1" = -0 ] || echo "kill $*"; }\n${WATCHER_SCRIPT}`], {
    input: `0 ${marker} /\n`,
    encoding: 'utf8',
  });
  expect(new Set(stdout.trim().split('\n'))).toEqual(
    new Set(['TERM', 'STOP', 'KILL'].map((signal) => `kill -${signal} ${stranger.pid}`)),
  );
});

/** As macOS prints it: the environment of what is this user's and not the system's own stands behind the command. */
test('ps of macOS is understood', () => {
  const own = process.getuid?.() ?? 0;
  const table = psTable(
    [
      `  301     1   301 ${own} Ss   Sun Nov 22 09:55:32 2026     /opt/bin/node server.js A=1 STEWARD_CALL=${marker} B=2`,
      `  302   301   301 ${own + 1} S+   Sun Nov  2 09:55:33 2026     node STEWARD_CALL=${marker}`,
      `  303     1   303 ${own} Z    Sun Nov 22 09:55:33 2026     (gone) STEWARD_CALL=${marker}`,
      `  304     1   304 ${own} S    Sun Nov 22 09:55:34 2026     /bin/sleep 600`,
    ].join('\n'),
  );
  expect(table.entries.map((entry) => [entry.pid, entry.parent, entry.group, table.carries(entry, [marker])])).toEqual([
    [301, 1, 301, 'yes'],
    [302, 301, 301, 'no'],
    [304, 1, 304, 'no'],
  ]);
  const [first, second] = table.entries;
  expect(Number(first?.startedAt) - Number(second?.startedAt)).toBe(20 * 24 * 3_600_000 - 1000);
});

function stateOf(pid: number): string | undefined {
  return /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1];
}
