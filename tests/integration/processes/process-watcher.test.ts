import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { ProcessRunner } from '../../../src-main/processes/process-runner.ts';
import { ProcessWatcher } from '../../../src-main/processes/process-watcher.ts';
import { WATCHER_SCRIPT } from '../../../src-main/processes/watcher-script.ts';
import { askRig } from '../../fixtures/ask.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { processPorts } from '../../fixtures/process-ports.ts';
import { processTree, runningProcesses, stillRunning } from '../../fixtures/process-table.ts';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** A time for which nothing else sleeps. */
const oddSleep = () => `${800 + Math.floor(Math.random() * 99)}.${Math.floor(Math.random() * 1e9)}`;
const sleeping = (time: string) => runningProcesses().filter(({ command }) => command.startsWith(`sleep ${time}`));
const watchers = (parent: number) =>
  processTree(parent).filter(({ command }) => command.endsWith('steward-watcher') && command.startsWith('/bin/sh'));
const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 20 });

test('commands, background shells and processes they left running end when ask is killed', async () => {
  const time = oddSleep();
  const bash = (input: Record<string, unknown>) => ({ blocks: [{ type: 'tool_use', name: 'bash', input } as const] });
  const api = await startMessagesApi({
    turns: [
      bash({ command: `sleep ${time} >/dev/null 2>&1 & true` }),
      bash({ command: `setsid sleep ${time} & sleep ${time}; true`, run_in_background: true }),
      bash({ command: `trap "" TERM; setsid sleep ${time} & sleep ${time} & sleep ${time}; sleep ${time}` }),
    ],
  });
  const ask = askRig({ api: api.url });
  const child = await ask.start(['--approve', 'all', '--model', 'claude-sonnet-4-5', 'go']);
  started.push(child);
  child.stdin.end();
  await until(() => expect(sleeping(time)).toHaveLength(6));
  const [watcher, ...others] = watchers(child.pid ?? 0);
  expect([watcher === undefined, others]).toEqual([false, []]);
  child.kill('SIGKILL');
  await until(() => expect(sleeping(time)).toEqual([]));
  await until(() => expect(runningProcesses().filter(({ pid }) => pid === watcher?.pid)).toEqual([]));
  await api.close();
});

test('after a run that ends normally nothing is left, not even for a moment', async () => {
  const time = oddSleep();
  const ask = askRig();
  const command = `until [ -e go ]; do sleep 0.02; done; sleep ${time} & echo done`;
  const child = await ask.start(['--approve', 'all', `/bash ${JSON.stringify({ command })}`]);
  started.push(child);
  child.stdin.end();
  const ended = once(child, 'exit');
  await until(() => expect(watchers(child.pid ?? 0)).toHaveLength(1));
  const tree = processTree(child.pid ?? 0);
  writeFileSync(join(ask.workspace, 'go'), '');
  expect(await ended).toEqual([0, null]);
  expect([stillRunning(tree), sleeping(time)]).toEqual([[], []]);
});

test('one watcher for all processes; if it is killed it is replaced, and the new one knows them all', async () => {
  const time = oddSleep();
  const watcher = new ProcessWatcher({ log: () => undefined });
  const runner = new ProcessRunner({ ...processPorts, watcher });
  const stop = new AbortController();
  const own = () => watchers(process.pid);
  const start = () =>
    runner.start({ command: 'sleep', args: [time], directory: '/', signal: stop.signal, timeoutMs: 60_000 });
  const running = [await start(), await start()];
  const [first, ...others] = own();
  expect([first === undefined, others]).toEqual([false, []]);
  process.kill(first?.pid ?? 0, 'SIGKILL');
  await until(() => expect(own().filter(({ pid }) => pid !== first?.pid)).toHaveLength(1));
  running.push(await start());
  expect(own()).toHaveLength(1);
  stop.abort();
  await Promise.all(running.map(({ finished }) => finished));
  await watcher.close();
  expect([own(), sleeping(time)]).toEqual([[], []]);
  await watcher.close();
});

test('reports about processes after the end do not start another watcher', async () => {
  const watcher = new ProcessWatcher({ log: () => undefined });
  const leader = sleeper();
  watcher.add(leader.pid);
  expect(watchers(process.pid)).toHaveLength(1);
  watcher.forget(leader.pid);
  await watcher.close();
  watcher.leaderEnded(leader.pid);
  expect(watchers(process.pid)).toEqual([]);
});

/** Runs the script on these lines until it ends. */
async function watch(lines: string): Promise<void> {
  const script = spawn('/bin/sh', ['-c', WATCHER_SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  started.push(script);
  script.stdin.end(lines);
  await once(script, 'exit');
}

function sleeper({ detached = true } = {}): ChildProcess & { pid: number } {
  const child = spawn('sleep', ['600'], { stdio: 'ignore', detached });
  started.push(child);
  return Object.assign(child, { pid: child.pid ?? 0 });
}

test('only the last complete line of the list counts', async () => {
  const [listed, ended, cutOff] = [sleeper(), sleeper(), sleeper()];
  await watch(
    `0 - ${ended.pid} /\n0 - ${listed.pid} ${ended.pid} /\n0 - ${listed.pid} /\n0 - ${listed.pid} ${cutOff.pid}`,
  );
  await expect.poll(() => listed.signalCode).toBe('SIGTERM');
  expect([ended, cutOff].map(({ signalCode }) => signalCode)).toEqual([null, null]);
});

test('a reused process id is left alone, and a process that leads no group is ended too', async () => {
  const [stranger, server] = [sleeper(), sleeper({ detached: false })];
  await watch(`0 - ${server.pid} / ${stranger.pid}\n`);
  await expect.poll(() => server.signalCode).toBe('SIGTERM');
  expect(stranger.signalCode).toBe(null);
});

test('with an empty list the watcher ends at once', async () => {
  await watch('');
  await watch('0 - /\n');
});
