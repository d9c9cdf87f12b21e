import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ProcessRunner } from '../../../src-main/processes/process-runner.ts';
import { ProcessWatcher } from '../../../src-main/processes/process-watcher.ts';
import { escapes, processesWith } from '../../fixtures/escapes.ts';
import { processPorts } from '../../fixtures/process-ports.ts';

/** A number of seconds for which nothing else sleeps. */
const oddWord = () => `${500 + Math.floor(Math.random() * 99)}.${Math.floor(Math.random() * 1e9)}`;
const SOON = { timeout: 30_000, interval: 20 };

let runner: ProcessRunner;
let directory: string;
beforeEach(() => {
  runner = new ProcessRunner(processPorts);
  directory = mkdtempSync(join(tmpdir(), 'steward-left-'));
});
afterEach(async () => {
  await runner.killAll();
  rmSync(directory, { recursive: true });
});

const { signal } = new AbortController();
const run = (line: string, stop = signal) =>
  runner.run({ command: 'bash', args: ['-c', line], line, directory, signal: stop });
const commands = () => runner.leftRunning.list().flatMap(({ programs }) => programs.map(({ command }) => command));

test('processes that a command leaves running are named when it ends, and can be ended', async () => {
  const word = oddWord();
  const lines = escapes(word).filter(({ processes, name }) => processes <= 2 && !name.startsWith('one that'));
  expect(lines.length).toBeGreaterThan(5);
  for (const { line, name, processes } of lines) {
    // Nobody waits for it, but it shall have begun.
    const { leftRunning } = await run(`${line}; until pgrep -f ${word} >/dev/null; do sleep 0.01; done; sleep 0.2`);
    expect([name, leftRunning?.inBackground, commands()]).toEqual([
      name,
      false,
      leftRunning?.programs.map(({ command }) => command),
    ]);
    expect(leftRunning?.programs.every(({ command }) => command.includes(word))).toBe(true);
    expect(processesWith(word).length).toBeGreaterThanOrEqual(processes);
    expect(await runner.endLeftRunning(leftRunning?.id ?? '')).toBe(true);
    expect([processesWith(word), commands()]).toEqual([[], []]);
  }
});

test('a command that leaves no process, or only one that is about to end, reports none', async () => {
  for (const line of ['true', 'sleep 0.2 & wait', 'echo x | cat', 'exit 3'])
    expect((await run(line)).leftRunning).toBeUndefined();
  expect(runner.leftRunning.list()).toEqual([]);
  // On a busy machine a tail may be long.
  await vi.waitFor(async () => expect((await run('(setsid sleep 0.01 &)')).leftRunning).toBeUndefined(), SOON);
});

test('of programs that started each other the first is named', async () => {
  const word = oddWord();
  const { leftRunning } = await run(`(setsid sh -c 'sleep ${word} & sleep ${word}; :' >/dev/null 2>&1 &); sleep 0.2`);
  expect(leftRunning?.programs.map(({ command }) => command.slice(0, 12))).toEqual([`sh -c sleep `]);
  expect(processesWith(word)).toHaveLength(3);
});

test('a process that ends leaves the list, and processes that it started are added', async () => {
  const word = oddWord();
  const changes: string[][] = [];
  runner.leftRunning.onChange(() => changes.push(commands()));
  const { leftRunning } = await run(
    `(setsid sh -c 'sleep 1; setsid sleep ${word} & setsid sleep 0.5 &' first >/dev/null 2>&1 &); sleep 0.2`,
  );
  expect(commands()).toEqual([expect.stringContaining('first')]);
  await vi.waitFor(() => expect(commands()).toEqual([`sleep ${word}`]), SOON);
  for (const { pid } of processesWith(word)) process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(changes.at(-1)).toEqual([]), SOON);
  expect(runner.isLeftRunning(leftRunning?.id ?? '')).toBe(false);
});

test('Stop between the end of a command and the report of it ends what it leaves', async () => {
  const word = oddWord();
  const stop = new AbortController();
  // It prints on, so that the report waits for it.
  const running = run(`(while :; do echo ${word}; sleep 0.02; done) & touch ended`, stop.signal);
  await vi.waitFor(() => expect(existsSync(join(directory, 'ended'))).toBe(true), SOON);
  await pause(200);
  stop.abort();
  expect(await running).toMatchObject({ ending: 'aborted', exitCode: 0 });
  expect([processesWith(word), commands()]).toEqual([[], []]);
});

test('a shell in the background is on the list from its start, and is ended like a command', async () => {
  const word = oddWord();
  const line = `(setsid sleep ${word} &); sleep ${word}`;
  const request = { command: 'bash', args: ['-c', line], line, directory, signal, inBackground: true };
  const { id, pid, finished } = await runner.start(request);
  expect(runner.leftRunning.list()).toEqual([{ id, inBackground: true, programs: [{ pid, command: line }] }]);
  expect(runner.runningLines()).toEqual([]);
  await vi.waitFor(() => expect(processesWith(`sleep ${word}`).length).toBeGreaterThan(1), SOON);
  expect(await runner.endLeftRunning(id)).toBe(true);
  expect((await finished).ending).toBe('aborted');
  expect([processesWith(word), runner.leftRunning.list()]).toEqual([[], []]);
  expect(await runner.endLeftRunning(id)).toBe(true);
});

test('processes that the user leaves running outlive the app and its watcher, and can keep printing; the rest end', async () => {
  const watcher = new ProcessWatcher({ log: () => undefined });
  const own = new ProcessRunner({ ...processPorts, watcher });
  const [left, shell, ended] = [oddWord(), oddWord(), oddWord()];
  const printing = (word: string) => `while sleep 0.05; do echo ${word}; echo x >>${directory}/${word}; done`;
  const start = { command: 'bash', directory, signal };
  await own.run({ ...start, args: ['-c', `(setsid bash -c '${printing(left)}' &)`], line: 'left' });
  const background = { args: ['-c', printing(shell)], line: 'shell', inBackground: true };
  await own.start({ ...start, ...background });
  await own.start({ ...start, args: ['-c', printing(ended)], line: 'ended' });
  expect([own.leftRunning.list().length, own.runningLines()]).toEqual([2, ['ended']]);
  await vi.waitFor(() => {
    for (const word of [left, shell, ended]) expect(existsSync(join(directory, word))).toBe(true);
  }, SOON);

  own.leaveRunning();
  await expect(own.run({ ...start, args: ['-c', 'true'] })).rejects.toThrow('Steward is closing');
  await own.killAll();
  own.killAllNow();
  await watcher.close();
  expect(processesWith(ended)).toEqual([]);
  const printed = (word: string) => readFileSync(join(directory, word), 'utf8').length;
  const before = [left, shell].map(printed);
  await vi.waitFor(() => {
    const now = [left, shell].map(printed);
    expect(now.every((length, index) => length > Number(before[index]) + 10)).toBe(true);
  }, SOON);
  for (const { pid } of [...processesWith(left), ...processesWith(shell)]) process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect([...processesWith(left), ...processesWith(shell)]).toEqual([]), SOON);
});
