import { afterEach, expect, test, vi } from 'vitest';
import { askRig, eventsOf, ofType } from '../../fixtures/ask.ts';
import { type MessagesApi, startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { runningProcesses } from '../../fixtures/process-table.ts';

let api: MessagesApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

const MODEL = ['--model', 'claude-sonnet-4-5'];
const call = (name: string, input: Record<string, unknown>) => ({
  blocks: [{ type: 'tool_use', name, input } as const],
});
const SOON = { timeout: 20_000 };
/** A time for which nothing else sleeps. */
const oddSleep = () => `${900 + Math.floor(Math.random() * 99)}.${Math.floor(Math.random() * 1e9)}`;
const running = (word: string) => runningProcesses().filter(({ command }) => command.startsWith(`sleep ${word}`));
const runs = (word: string, count: number) => vi.waitFor(() => expect(running(word)).toHaveLength(count), SOON);

test('a variable is shown if it is listed, any other only if everything is allowed, and a key of ours never', async () => {
  const ask = askRig();
  const env = { BRAVE_API_KEY: 'brave-value', MY_DATABASE: 'postgres://ada:pw@db/x', LC_ALL: 'C' };
  const get = async (name: string, ...flags: string[]) =>
    (await ask.run([...flags, `/get_environment_variable {"name":"${name}"}`], { env })).stdout.trim();
  for (const name of ['BRAVE_API_KEY', 'MY_DATABASE'] as const) {
    expect(await get(name)).toBe(`${name}=[redacted]`);
    expect(await get(name, '--approve', 'none')).toBe(`${name}=[redacted]`);
    expect(await get(name, '--approve', 'reads')).toBe(`${name}=[redacted]`);
  }
  expect(await get('MY_DATABASE', '--approve', 'all')).toBe(`MY_DATABASE=${env.MY_DATABASE}`);
  expect(await get('BRAVE_API_KEY', '--approve', 'all')).toBe('BRAVE_API_KEY=[redacted]');
  expect(await get('LC_ALL', '--approve', 'none')).toBe('LC_ALL=C');
});

test('a background shell ends with ask, whatever it ignores and however it was left', async () => {
  const time = oddSleep();
  const ask = askRig();
  const command = `trap "" TERM; setsid sleep ${time} & sleep ${time} & sleep ${time}; sleep ${time}`;
  const { stdout, stderr, code } = await ask.run([
    '--approve',
    'all',
    `/bash ${JSON.stringify({ command, run_in_background: true })}`,
  ]);
  expect(code).toBe(0);
  expect(stdout).toContain('shell_1');
  expect(stderr).toContain('shell_1');
  expect(running(time)).toEqual([]);
});

test('processes left running by a command are named at the end of ask, and end with it', async () => {
  const time = oddSleep();
  const command = `(setsid sleep ${time} >/dev/null 2>&1 &); sleep 0.2; echo started`;
  const { stdout, stderr, code } = await askRig().run(['--approve', 'all', `/bash ${JSON.stringify({ command })}`]);
  expect([stdout.trim(), code]).toEqual(['started', 0]);
  expect(stderr).toMatch(new RegExp(`^Ends with this run: sleep ${time} \\(process \\d+\\)$`, 'm'));
  expect(running(time)).toEqual([]);
});

test('a model starts a shell, reads it and ends it: reading needs no answer, ending does', async () => {
  const time = oddSleep();
  api = await startMessagesApi({
    turns: [
      call('bash', { command: `sleep ${time}`, run_in_background: true }),
      call('bash_output', { bash_id: 'shell_1' }),
      call('kill_shell', { shell_id: 'shell_1' }),
      call('kill_shell', { shell_id: 'shell_1' }),
      call('kill_shell', { shell_id: 'shell_2' }),
      { text: 'done' },
    ],
  });
  const { events, stderr } = await askRig({ api: api.url }).events(['--approve', 'all', ...MODEL, 'go']);
  expect(stderr).not.toContain('shell_1');
  expect(ofType(events, 'tool_result').map(({ text }) => text)).toEqual([
    expect.stringContaining('shell_1'),
    expect.stringContaining('[running]'),
    expect.stringContaining('shell_1'),
    expect.stringContaining('shell_1'),
    expect.stringContaining('shell_2'),
  ]);
  expect(ofType(events, 'tool_result').map(({ outcome, exitCode }) => [outcome, exitCode])).toEqual([
    ...Array.from({ length: 4 }, () => ['completed', undefined]),
    ['failed', undefined],
  ]);
  // What has ended already needs no answer to be ended.
  expect(ofType(events, 'decision').map(({ answer, by }) => `${answer} by ${by}`)).toEqual([
    'allow by flag',
    'allow by default',
    'allow by flag',
    'allow by default',
    'deny by default',
  ]);
});

test('a second signal ends ask at once, with every process that was started', async () => {
  const time = oddSleep();
  const stubborn = `trap "" TERM; setsid sleep ${time} & sleep ${time}; sleep ${time}`;
  api = await startMessagesApi({
    turns: [
      call('bash', { command: stubborn, run_in_background: true }),
      call('execute_command', { command: stubborn, timeout: 600 }),
    ],
  });
  const child = await askRig({ api: api.url }).start(['--json', '--approve', 'all', ...MODEL, 'go']);
  child.stdin.end();
  const ended = new Promise((resolve) => child.once('close', resolve));
  for await (const event of eventsOf(child)) {
    if (event.type !== 'tool_call' || event.name !== 'execute_command') continue;
    // Four: two of each of the two commands.
    await runs(time, 4);
    // Two of one kind could arrive as one.
    child.kill('SIGINT');
    child.kill('SIGTERM');
  }
  expect(await ended).toBe(130);
  await runs(time, 0);
});
