import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { allowAll } from '../../fixtures/allow-all.ts';
import { User, yesOnce } from '../../fixtures/memory-ports.ts';
import { runningProcesses } from '../../fixtures/process-table.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import { isRequired, noOutputYet, outputDropped, shellNotFound, startedShell } from '../../fixtures/tool-texts.ts';

let tools: ToolHarness;
beforeEach(() => {
  tools = new ToolHarness({ consent: allowAll });
});
afterEach(() => tools.dispose());

const start = (command: string) => tools.text('bash', { command, run_in_background: true });
const output = (bash_id: string, filter?: string) => tools.text('bash_output', { bash_id, filter });
const kill = (shell_id: string) => tools.text('kill_shell', { shell_id });
const waitsUntil = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 30_000, interval: 20 });
const oddSleep = () => `${800 + Math.floor(Math.random() * 100)}.${Math.floor(Math.random() * 1e9)}`;
const survivors = (word: string) => runningProcesses().filter(({ command }) => command.includes(word));
const effects = (shell_id: string) => tools.effectsOf('kill_shell', { shell_id });

test('bash_output gives everything so far and whether the shell still runs', async () => {
  const time = oddSleep();
  expect(await start(`sleep ${time}`)).toBe(startedShell('shell_1'));
  expect(await output('shell_1')).toBe(`${noOutputYet}\n[running]`);
  expect(await output('shell_1', 'x')).toBe(`${noOutputYet}\n[running]`);
  expect(await start(`for i in 1 2; do echo $i; done; echo e >&2; sleep ${time}`)).toBe(startedShell('shell_2'));
  await waitsUntil(async () => expect(await output('shell_2')).toBe('1\n2\ne\n[running]'));
  expect(await output('shell_2')).toBe('1\n2\ne\n[running]');
  expect(await output('shell_2', '^2')).toBe('2\n[running]');
  expect(await output('shell_2', '9')).toBe('[running]');
  expect(await start('printf "no line end"; exit 4')).toBe(startedShell('shell_3'));
  await waitsUntil(async () => expect(await output('shell_3')).toBe('no line end\n[exit code 4]'));
  await start('true');
  await waitsUntil(async () => expect(await output('shell_4')).toBe(`${noOutputYet}\n[exit code 0]`));
  expect(tools.cards.slice(-1)).toMatchObject([
    { kind: 'terminal', line: 'true', ending: 'exited', exitCode: 0, shellId: 'shell_4' },
  ]);
});

test('an unknown or missing shell id is reported', async () => {
  expect(await output('shell_9')).toBe(shellNotFound('shell_9'));
  expect(await kill('shell_9')).toBe(shellNotFound('shell_9'));
  await expect(effects('shell_9')).rejects.toThrow(shellNotFound('shell_9'));
  expect(await tools.text('bashoutput', {})).toBe(isRequired('bash_id'));
  expect(await tools.text('killshell', {})).toBe(isRequired('shell_id'));
});

test('a filter is a regular expression on whole lines, and a bad or endless one is an error', async () => {
  await start('printf "a1\\r\\nb2\\n\\nÄ3 \\000 x\\n%s!\\n" aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
  await waitsUntil(async () => expect(await output('shell_1')).toContain('[exit code 0]'));
  expect(await output('shell_1', '\\d$')).toBe('a1\r\nb2\n[exit code 0]');
  expect(await output('shell_1', '^(?!a)\\w\\d')).toBe('b2\nÄ3 \0 x\n[exit code 0]');
  expect(await output('shell_1', '[')).toBe(
    'Error: Regex error: PCRE2: error compiling pattern: missing terminating ] for character class',
  );
  expect(await output('shell_1', '(a+)+$')).toBe('[exit code 0]');
  expect(await output('shell_1', '(?=a)(a+)+$')).toMatch(/^Error: Regex error: .*match limit exceeded$/);
  expect(await output('shell_1', 'a\0')).toMatch(/^Error: Regex error: .*NUL/);
  expect(await output('shell_1', 'x'.repeat(200_000))).toMatch(/^Error: Regex error: it is too long/);
});

test('stored output of a chatty shell is bounded, and all of it can be filtered', async () => {
  await start('yes 0123456789abcde | head -n 800000; echo end >&2');
  await waitsUntil(async () => expect(await output('shell_1', '^end')).toBe('end\n[exit code 0]'));
  const text = await output('shell_1');
  expect(text.length).toBeLessThan(10 * 1024 * 1024 + 200);
  expect(text.endsWith(`\n${outputDropped}\nend\n[exit code 0]`)).toBe(true);
});

test('kill_shell ends the whole tree, also what ignores SIGTERM or left the group; what was said stays', async () => {
  const time = oddSleep();
  await start(
    `(trap "" TERM; sleep ${time}) & setsid sleep ${time} & trap "" TERM; echo up; sleep ${time}; sleep ${time}`,
  );
  await waitsUntil(async () => expect(await output('shell_1')).toBe('up\n[running]'));
  await waitsUntil(() => expect(survivors(`sleep ${time}`).length).toBeGreaterThanOrEqual(3));
  expect(await kill('shell_1')).toBe('Killed shell: shell_1');
  expect(survivors(time)).toEqual([]);
  expect(await kill('shell_1')).toBe('Killed shell: shell_1');
  expect(await output('shell_1')).toBe('up\n[exit code 137]');
  expect(tools.cards.at(-1)).toMatchObject({ ending: 'stopped', shellId: 'shell_1' });
});

test('kill_shell of a shell that has ended gives the same text, and ends what it left behind', async () => {
  const time = oddSleep();
  await start(`sleep ${time} & exit 0`);
  await waitsUntil(async () => expect(await output('shell_1')).toContain('[exit code 0]'));
  expect(survivors(time)).toHaveLength(1);
  expect((await effects('shell_1')).access).toMatchObject([{ class: 'execute' }]);
  expect(await tools.text('kill_shell', { bash_id: 'shell_1' })).toBe('Killed shell: shell_1');
  expect(survivors(time)).toEqual([]);
  // Now there is nothing left to ask about.
  expect((await effects('shell_1')).access).toEqual([{ class: 'read', kind: 'app' }]);
  expect(await kill('shell_1')).toBe('Killed shell: shell_1');
});

test('killing a shell asks separately, and shows what would end', async () => {
  await start('sleep 1000');
  const pid = tools.shells.get('shell_1')?.pid;
  expect(await effects('shell_1')).toEqual({
    access: [
      {
        kind: 'command',
        class: 'execute',
        command: { kind: 'argv', argv: ['kill', '-TERM', '--', `-${pid}`] },
        directory: tools.workspace,
      },
    ],
    previews: [{ kind: 'text', title: 'Running in shell_1, would be stopped', text: 'sleep 1000' }],
  });
});

test('with its own words', async () => {
  const user = new User(() => yesOnce);
  const asking = new ToolHarness({ consent: user });
  onTestFinished(() => asking.dispose());
  await asking.text('bash', { command: 'sleep 1000', run_in_background: true });
  await asking.text('kill_shell', { shell_id: 'shell_1' });
  expect(user.asked).toMatchObject([
    { tool: 'bash', asked: undefined },
    { tool: 'kill_shell', asked: 'Stop a command?' },
  ]);
});

test('the output of a shell that fetches is from outside', async () => {
  await start('echo mine; sleep 1000');
  await waitsUntil(async () => expect(await output('shell_1')).toContain('mine'));
  const source = 'echo mine; sleep 1000';
  expect(new Set(tools.marks.splice(0).map(({ kind, source }) => `${kind} ${source}`))).toEqual(
    new Set([`private output of ${source}`]),
  );
  await start('curl -s --max-time 1 http://127.0.0.1:9/ || echo refused');
  await waitsUntil(async () => expect(await output('shell_2')).toContain('refused'));
  expect(new Set(tools.marks.map(({ kind }) => kind))).toEqual(new Set(['untrusted', 'private']));
});

test('all background shells end with the app, with or without time to wait', async () => {
  const time = oddSleep();
  const line = `setsid sleep ${time} & trap "" TERM; sleep ${time}; sleep ${time}`;
  await start(line);
  await waitsUntil(() => expect(survivors(`sleep ${time}`).length).toBeGreaterThanOrEqual(2));
  await tools.processes.killAll();
  expect(survivors(time)).toEqual([]);
  await start(line);
  await waitsUntil(() => expect(survivors(`sleep ${time}`).length).toBeGreaterThanOrEqual(2));
  tools.processes.killAllNow();
  await waitsUntil(() => expect(survivors(time)).toEqual([]));
});
