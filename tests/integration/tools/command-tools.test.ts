import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { allowAll } from '../../fixtures/allow-all.ts';
import { needSystemPackages } from '../../fixtures/machine-needs.ts';
import { runningProcesses, stillRunning } from '../../fixtures/process-table.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import {
  accessDenied,
  commandFailed,
  completedWithoutOutput,
  isRequired,
  noSuchWorkingDirectory,
  timedOutAfter,
} from '../../fixtures/tool-texts.ts';

let tools: ToolHarness;
beforeEach(() => {
  tools = new ToolHarness({ consent: allowAll });
});
afterEach(() => tools.dispose());

const execute = (command: string, more: Record<string, unknown> = {}) =>
  tools.text('execute_command', { command, ...more });
/** A time for which nothing else sleeps. */
const oddSleep = () => `${700 + Math.floor(Math.random() * 100)}.${Math.floor(Math.random() * 1e9)}`;
const survivors = (word: string) => runningProcesses().filter(({ command }) => command.includes(word));

test('execute_command gives stdout, and both streams of a command that failed', async () => {
  expect(await execute('true')).toBe(completedWithoutOutput);
  expect(await execute('false')).toBe(commandFailed(1));
  expect(await execute('echo out; echo err >&2')).toBe('out');
  expect(await execute('echo warning >&2')).toBe(completedWithoutOutput);
  expect(await execute('echo out; echo err >&2; exit 3')).toBe('out\nerr');
  expect(await execute('echo err >&2; exit 3')).toBe('err');
  expect(await execute('echo out; exit 3')).toBe('out');
  expect(await execute('echo "  a"; echo')).toBe('  a\n');
  expect(await execute('kill -9 $$')).toBe(commandFailed(137));
  expect(await execute('cat; echo closed')).toBe('closed');
  expect(await execute('echo $0')).toBe('sh');
});

test('execute_command runs in any folder inside the roots, and in no other', async () => {
  mkdirSync(join(tools.workspace, 'src'));
  tools.put('file', '');
  expect(await execute('pwd', { working_dir: 'src' })).toBe(join(tools.workspace, 'src'));
  expect(await execute('pwd', { working_dir: join(tools.workspace, 'src') })).toBe(join(tools.workspace, 'src'));
  expect(await execute('pwd', { working_dir: '' })).toBe(tools.workspace);
  expect(await execute('cd src; pwd')).toBe(join(tools.workspace, 'src'));
  expect(await execute('pwd')).toBe(tools.workspace);
  for (const working_dir of ['..', '/', '/tmp', 'src/../..']) {
    expect(await execute('touch made', { working_dir })).toBe(accessDenied('directory', tools.workspace));
  }
  expect(existsSync(join(tools.base, 'made'))).toBe(false);
  for (const working_dir of ['missing', 'file'])
    expect(await execute('pwd', { working_dir })).toBe(noSuchWorkingDirectory(working_dir));
  expect(await execute('')).toBe(isRequired('command', 'Error executing command: '));
  expect(await execute('echo \0')).toBe(
    'Error executing command: a command cannot hold a NUL character. Give it without',
  );
});

test('execute_command ends after its seconds with everything that it started', async () => {
  const time = oddSleep();
  const command = `echo before; (trap "" TERM; sleep ${time}) & setsid sleep ${time} & sleep ${time}`;
  // Long enough for a shell to begin on a busy machine.
  expect(await execute(command, { timeout: 1.5 })).toBe(`before\n${timedOutAfter(1.5)}`);
  expect(survivors(time)).toEqual([]);
  expect(await execute(`sleep ${time}`, { timeout: 1 })).toBe(timedOutAfter(1));
  for (const timeout of [0, -1, 'soon', 1e300]) expect(await execute('echo ok', { timeout })).toBe('ok');
});

test('execute_command is stopped with everything that it started', async () => {
  const time = oddSleep();
  const stop = new AbortController();
  const input = { command: `sleep ${time} & echo started; sleep ${time}` };
  const result = tools.call('execute_command', input, { signal: stop.signal, onOutput: () => stop.abort() });
  expect(await result).toEqual({ text: expect.stringMatching(/^started\n/), isError: true, outcome: 'stopped' });
  expect(survivors(time)).toEqual([]);
});

test('execute_command says before it runs what would run where', async () => {
  mkdirSync(join(tools.workspace, 'src'));
  const directory = join(tools.workspace, 'src');
  const held = await tools.held();
  const { access } = await tools.effectsOf('execute_command', { command: 'make', working_dir: 'src' });
  expect(access).toEqual([
    { kind: 'command', class: 'execute', command: { kind: 'shell', line: 'make' }, directory, ...held },
  ]);
  // A link may be turned between the question and the run.
  const link = join(tools.workspace, 'link');
  symlinkSync('src', link);
  const make = await tools.allowed('execute_command', { command: 'touch made', working_dir: 'link' });
  rmSync(link);
  symlinkSync('.', link);
  expect(await make()).toEqual({
    text: 'Error executing command: the folder link now leads somewhere else; nothing was run',
    isError: true,
  });
  expect([tools.workspace, directory].some((folder) => existsSync(join(folder, 'made')))).toBe(false);
});

test('each way to run a command says how it ended on its card', async () => {
  await tools.text('bash', { command: 'exit 3' });
  await tools.text('run_command', { command: 'node', arguments: '-e "process.exit(9)"' });
  await execute('echo hi');
  await execute('sleep 30', { timeout: 0.1 });
  const stop = new AbortController();
  const stopped = { signal: stop.signal, onOutput: () => stop.abort() };
  await tools.call('bash', { command: 'echo up; sleep 30' }, stopped);
  await tools.text('bash', { command: 'sleep 30', run_in_background: true });
  expect(tools.cards).toMatchObject([
    { kind: 'terminal', line: 'exit 3', ending: 'exited', exitCode: 3 },
    { kind: 'terminal', line: 'node -e "process.exit(9)"', ending: 'exited', exitCode: 9 },
    { kind: 'terminal', line: 'echo hi', ending: 'exited', exitCode: 0 },
    { kind: 'terminal', line: 'sleep 30', ending: 'timed-out' },
    { kind: 'terminal', line: 'echo up; sleep 30', ending: 'stopped' },
    { kind: 'terminal', line: 'sleep 30', ending: 'background', shellId: 'shell_1' },
  ]);
});

test('command output is private, and that of a fetching command is text from outside', async () => {
  await tools.text('bash', { command: 'true' });
  await tools.text('bash', { command: 'echo mine' });
  expect(tools.marks.splice(0)).toEqual([
    { kind: 'private', source: 'output of true' },
    { kind: 'private', source: 'output of echo mine' },
  ]);
  // Nothing listens on port 9, and what matters is the line.
  const curl = 'curl -s --max-time 1 http://127.0.0.1:9/';
  const fetched = { kind: 'untrusted', source: `what ${curl} fetched` };
  await tools.text('bash', { command: curl });
  await execute(curl);
  await tools.text('run_command', { command: curl });
  await tools.text('bash', { command: curl, run_in_background: true });
  const printed = { kind: 'private', source: `output of ${curl}` };
  expect(tools.marks.splice(0)).toEqual(Array.from({ length: 4 }, () => [printed, fetched]).flat());
  await execute('echo https://example.org');
  expect(tools.marks.map(({ kind }) => kind)).toEqual(['private', 'untrusted']);
});

test('list_processes names this process first, one row each, and hides secrets of the others', async (context) => {
  needSystemPackages(context, 'procps');
  const marker = oddSleep();
  await tools.shells.start({
    line: `exec -a "serve --password=hunter2 --id ${marker}" sleep ${marker}`,
    directory: tools.workspace,
    marks: [],
  });
  await tools.shells.start({
    line: `exec -a "two\nrows ${marker}" sleep ${marker}`,
    directory: tools.workspace,
    marks: [],
  });
  // The shells have become what they start.
  const began = () => survivors(marker).map(({ command }) => command.split(/\s/)[0]);
  await vi.waitFor(() => expect(began().sort()).toEqual(['serve', 'two']), { timeout: 30_000 });
  const before = runningProcesses();
  const lines = (await tools.text('list_processes', {})).split('\n');
  expect(lines[0]).toBe('USER PID %CPU %MEM COMMAND');
  expect(lines[1]?.split(' ')[1]).toBe(String(process.pid));
  for (const line of lines.slice(1)) expect(line).toMatch(/^\S+ \d+ \d+\.\d \d+\.\d \S/);
  const listed = new Set(lines.map((line) => Number(line.split(' ')[1])));
  expect(stillRunning(before).filter(({ pid }) => !listed.has(pid))).toEqual([]);
  const ours = lines.filter((line) => line.includes(marker)).map((line) => line.split(' ').slice(4).join(' '));
  // Only the program and the word after it are looked at, so that no value of an option is shown.
  expect(ours).toEqual([]);
  const shown = lines.map((line) => line.split(' ').slice(4).join(' '));
  expect(shown).toContain('serve');
  expect(shown).toContain('two rows');
  expect(tools.marks).toEqual([{ kind: 'private', source: 'the list of running processes' }]);
});

test('list_processes takes no parameters and ignores any', async (context) => {
  needSystemPackages(context, 'procps');
  expect(await tools.text('list_processes', { x: 1 })).toMatch(/^USER PID %CPU %MEM COMMAND\n/);
  expect(tools.registry.get('list_processes')?.inputSchema).toEqual({ type: 'object', properties: {} });
});

test('get_environment_variable gives the value, the default, or nothing', async () => {
  const env = { PATH: '/usr/bin', EMPTY: '', BRAVE_API_KEY: 'brave-secret' };
  const get = (input: unknown) => tools.text('get_env', input, { env });
  expect(await get({ name: 'PATH' })).toBe('PATH=/usr/bin');
  expect(await get({ name: 'PATH', default: 'x' })).toBe('PATH=/usr/bin');
  expect(await get({ name: 'NOPE', default: 'x' })).toBe('NOPE=x');
  expect(await get({ name: 'NOPE', default: '' })).toBe('NOPE=');
  expect(await get({ name: 'NOPE' })).toBe('NOPE=');
  expect(await get({ name: 'EMPTY', default: 'x' })).toBe('EMPTY=');
  expect(await get({ name: 'constructor' })).toBe('constructor=');
  expect(await get({ name: '' })).toBe(isRequired('name'));
  expect(tools.marks[0]).toEqual({ kind: 'private', source: 'environment variable PATH' });
});

test('get_environment_variable asks for all but what is listed, set and looks harmless', async () => {
  const env = {
    PATH: '/bin',
    EDITOR: 'vi https://ada:pw@a.example',
    NODE_OPTIONS: '-r x',
    LC_ALL: 'C',
    PLAIN: 'sk-ant-REDACTED',
    DATABASE: 'postgres://ada:pw@db/x',
    GOOGLE_CLIENT_ID: 'id',
  };
  const access = async (name: string) => {
    return (await tools.effectsOf('get_environment_variable', { name }, { env })).access;
  };
  for (const name of ['NOPE', 'MY_TOKEN']) expect(await access(name)).toEqual([]);
  for (const name of ['PATH', 'LC_ALL'])
    expect(await access(name)).toEqual([{ kind: 'variable', class: 'read', name, isPlain: true }]);
  for (const name of ['PLAIN', 'DATABASE', 'GOOGLE_CLIENT_ID', 'EDITOR', 'NODE_OPTIONS'])
    expect(await access(name)).toEqual([{ kind: 'variable', class: 'read', name, isPlain: false }]);
});
