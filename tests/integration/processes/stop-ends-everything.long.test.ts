import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { ProcessRunner, type RunningProcess } from '../../../src-main/processes/process-runner.ts';
import { askRig } from '../../fixtures/ask.ts';
import { type Escape, escapes } from '../../fixtures/escapes.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { processPorts } from '../../fixtures/process-ports.ts';
import { runningProcesses } from '../../fixtures/process-table.ts';

/** What PEERS.md asks for after a stop, a quit or a kill. */
const GONE_WITHIN_MS = 2_000;

/** A number of seconds for which nothing else sleeps. */
const oddWord = () => `${600 + Math.floor(Math.random() * 99)}.${Math.floor(Math.random() * 1e9)}`;

const strangers: ChildProcess[] = [];
afterEach(() => {
  for (const child of strangers.splice(0)) child.kill('SIGKILL');
});

interface Attack extends Escape {
  readonly word: string;
}

/** Each with a word of its own, so that it is known who got away. */
function allAttacks(): readonly Attack[] {
  return escapes(oddWord()).map(({ name }, index) => {
    const word = oddWord();
    const own = escapes(word)[index];
    if (own?.name !== name) throw new TypeError('The same escapes in the same order');
    return { ...own, word };
  });
}

const LOOK_EVERY_MS = 20;

/** Names of those of which something runs. */
function survivors(attacks: readonly Attack[], running = runningProcesses()): readonly string[] {
  const commands = running.map(({ command }) => command);
  return attacks.filter(({ word }) => commands.some((command) => command.includes(word))).map(({ name }) => name);
}

/** Waits until each of them has been seen with as many processes as it has. */
async function underWay(attacks: readonly Attack[]): Promise<void> {
  const waiting = new Set(attacks);
  const look = () => {
    const commands = runningProcesses().map(({ command }) => command);
    for (const attack of waiting) {
      const { word, processes } = attack;
      if (commands.filter((command) => command.includes(word)).length >= processes) waiting.delete(attack);
    }
    expect([...waiting].map(({ name }) => name)).toEqual([]);
  };
  await vi.waitFor(look, { timeout: 30_000, interval: 10 });
}

/** What counts is the time in which this process rested or computed: where it waits for its turn, so does Steward. */
async function expectGone(attacks: readonly Attack[]): Promise<void> {
  for (let spentMs = 0; ; ) {
    const before = process.cpuUsage();
    const left = survivors(attacks);
    if (left.length === 0) return;
    await pause(LOOK_EVERY_MS);
    if (spentMs > GONE_WITHIN_MS) expect(left).toEqual([]);
    const { user, system } = process.cpuUsage(before);
    spentMs += LOOK_EVERY_MS + (user + system) / 1000;
  }
}

/** A program of the same user that is not ours and looks as much like ours as it can. */
function stranger(): ChildProcess {
  const child = spawn('sleep', ['600'], { stdio: 'ignore', detached: true, env: { STEWARD_CALL: 'f'.repeat(49) } });
  strangers.push(child);
  return child;
}

function runnerWith(attacks: readonly Attack[], timeoutMs?: number) {
  const runner = new ProcessRunner(processPorts);
  const stop = new AbortController();
  const start = ({ line }: Attack): Promise<RunningProcess> =>
    runner.start({
      command: 'bash',
      args: ['-c', `${line}; sleep 600`],
      line,
      directory: '/',
      signal: stop.signal,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  return { runner, stop, running: Promise.all(attacks.map(start)) };
}

test('control: killing only the process group misses all escaped processes but one', async () => {
  const attacks = allAttacks();
  const { runner, running } = runnerWith(attacks);
  const started = await running;
  await underWay(attacks);
  const escaping = attacks.filter(({ name }) => name !== 'nohup and disown');
  const groups = new Set(started.map(({ pid }) => pid));
  const inGroups = () => runningProcesses().filter(({ group }) => groups.has(group));
  // Each is away when its last program, which forks no more, runs outside the groups: while something forks or starts a
  // program, a look at the table can miss both parent and child.
  const asleepOutside = () => {
    const outside = runningProcesses().filter(({ group }) => !groups.has(group));
    const asleep = new Set(outside.map(({ command }) => command));
    return escaping.filter(({ word }) => asleep.has(`sleep ${word}`));
  };
  await vi.waitFor(() => expect(asleepOutside()).toEqual(escaping), { timeout: 30_000, interval: 10 });
  for (const group of groups) process.kill(-group, 'SIGKILL');
  await vi.waitFor(() => expect(inGroups()).toEqual([]), { timeout: 30_000, interval: 10 });
  expect(survivors(attacks)).toEqual(escaping.map(({ name }) => name));
  await runner.killAll();
  await expectGone(attacks);
});

test('Stop ends what left the session, the group, the parent and the environment', async () => {
  const attacks = allAttacks();
  const foreign = stranger();
  const { stop, running } = runnerWith(attacks);
  const started = await running;
  await underWay(attacks);
  stop.abort();
  const outcomes = await Promise.all(started.map(({ finished }) => finished));
  expect(survivors(attacks)).toEqual([]);
  expect(outcomes.map(({ ending, leftRunning }) => [ending, leftRunning])).toEqual(
    attacks.map(() => ['aborted', undefined]),
  );
  expect(foreign.signalCode).toBe(null);
});

test('the time-out of one call ends the same, and nothing of another call', async () => {
  const attacks = allAttacks();
  const { running } = runnerWith(attacks, 4_000);
  const others = allAttacks().filter(({ name }) => name === 'setsid' || name === 'many levels');
  const { runner, running: otherRunning } = runnerWith(others);
  const [started] = await Promise.all([running, otherRunning]);
  await underWay([...attacks, ...others]);
  const outcomes = await Promise.all(started.map(({ finished }) => finished));
  expect(survivors(attacks)).toEqual([]);
  expect(new Set(outcomes.map(({ ending }) => ending))).toEqual(new Set(['timed-out']));
  expect(survivors(others)).toHaveLength(others.length);
  await runner.killAll();
  expect(survivors(others)).toEqual([]);
});

test.for(['with time to wait', 'in the exit event'] as const)('the end of the app ends the same, %s', async (when) => {
  const attacks = allAttacks();
  const foreign = stranger();
  const { runner, running } = runnerWith(attacks);
  await running;
  await underWay(attacks);
  if (when === 'with time to wait') await runner.killAll();
  else runner.killAllNow();
  await expectGone(attacks);
  expect(foreign.signalCode).toBe(null);
});

test('processes left running by finished calls also end with the app', async () => {
  const attacks = allAttacks();
  const runner = new ProcessRunner(processPorts);
  const { signal } = new AbortController();
  await Promise.all(
    attacks.map(({ line }) => runner.run({ command: 'bash', args: ['-c', line], line, directory: '/', signal })),
  );
  await underWay(attacks);
  await runner.killAll();
  expect(survivors(attacks)).toEqual([]);
});

test('kill -9 of Steward ends the same', async () => {
  const attacks = allAttacks();
  const foreign = stranger();
  const api = await startMessagesApi({
    turns: [
      {
        blocks: attacks.map(({ line }) => ({
          type: 'tool_use',
          name: 'bash',
          input: { command: `${line}; sleep 600`, timeout: 600_000 },
        })) as never,
      },
    ],
  });
  const ask = await askRig({ api: api.url }).start(['--approve', 'all', '--model', 'claude-sonnet-4-5', 'go']);
  ask.stdin.end();
  await underWay(attacks);
  ask.kill('SIGKILL');
  await expectGone(attacks);
  expect(foreign.signalCode).toBe(null);
  await api.close();
});
