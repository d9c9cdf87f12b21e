import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { allowAll } from '../../fixtures/allow-all.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';
import {
  cannotStart,
  isRequired,
  openQuote,
  outputDropped,
  processTimedOut,
  timedOutAfter,
} from '../../fixtures/tool-texts.ts';

let tools: ToolHarness;
beforeEach(() => {
  tools = new ToolHarness({ consent: allowAll });
});
afterEach(() => tools.dispose());

/** Living processes that carry this word in their command line. */
function survivors(word: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const isZombie = /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
        return !isZombie && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(word);
      } catch {
        return false;
      }
    });
}

/** A time for which nothing else sleeps. */
const oddSleep = () => `${600 + Math.floor(Math.random() * 100)}.${Math.floor(Math.random() * 1e9)}`;

test('bash gives stdout, then stderr, then the exit code', async () => {
  const bash = (command: string) => tools.text('bash', { command });
  expect(await bash('echo hello world')).toBe('hello world');
  expect(await bash('echo x; exit 3')).toBe('x\n[exit code 3]');
  expect(await bash('exit 3')).toBe('[exit code 3]');
  expect(await bash('true')).toBe('');
  expect(await bash('echo err >&2; echo out')).toBe('out\nerr');
  expect(await bash("printf '  a \\n\\n'")).toBe('  a');
  expect(await bash('kill -9 $$')).toBe('[exit code 137]');
  expect(await bash('cat; echo "stdin is closed"')).toBe('stdin is closed');
  expect(await bash('pwd')).toBe(tools.workspace);
  expect(await bash('cd / && pwd')).toBe('/');
  expect(await bash('pwd')).toBe(tools.workspace);
  expect(await bash('echo "$0" "a b" | tr a-z A-Z')).toBe('BASH A B');
  expect(tools.marks[0]).toEqual({ kind: 'private', source: 'output of echo hello world' });
});

test('bash ends at the time limit with the output so far, and nothing keeps running', async () => {
  const time = oddSleep();
  const command = `echo before; (trap "" TERM; sleep ${time}) & setsid sleep ${time} & sleep ${time}`;
  // Long enough for a shell to begin on a busy machine.
  expect(await tools.text('bash', { command, timeout: 1500 })).toBe(`before\n${timedOutAfter(1.5)}`);
  expect(survivors(time)).toEqual([]);
  expect(await tools.text('bash', { command: `sleep ${time}`, timeout: 200 })).toBe(timedOutAfter(0.2));
});

test('Stop takes the whole tree with it', async () => {
  const time = oddSleep();
  const stop = new AbortController();
  const command = `sh -c 'sh -c "sleep ${time} & echo started; wait"'`;
  const result = tools.call('bash', { command }, { signal: stop.signal, onOutput: () => stop.abort() });
  expect(await result).toEqual({ text: 'started\n[stopped by the user]', isError: true, outcome: 'stopped' });
  expect(survivors(time)).toEqual([]);
});

test('a call that is stopped before it begins starts nothing', async () => {
  await tools.text('bash', { command: 'touch made' }, { signal: AbortSignal.abort() });
  expect(existsSync(join(tools.workspace, 'made'))).toBe(false);
});

test('a child that keeps running does not delay the result, and ends with the app', async () => {
  const time = oddSleep();
  expect(await tools.text('bash', { command: `sleep ${time} & echo done` })).toBe('done');
  expect(await tools.text('bash', { command: `sleep ${time} >/dev/null 2>&1 & echo done` })).toBe('done');
  expect(survivors(time)).toHaveLength(2);
  await tools.processes.killAll();
  expect(survivors(time)).toEqual([]);
});

test('a full pipe does not block, characters survive the seams between chunks, and too much is dropped with a notice', async () => {
  const text = await tools.text('bash', {
    command: "head -c 3000000 /dev/zero | tr '\\0' x; head -c 3000000 /dev/zero | tr '\\0' y >&2",
  });
  expect(text.length).toBe(6_000_000);
  expect(
    await tools.text('run_command', {
      command: 'node',
      arguments: '-e "process.stdout.write(\'é😀\'.repeat(200000))"',
    }),
  ).toBe('é😀'.repeat(200_000));
  const dropped = await tools.text('bash', { command: "head -c 12000000 /dev/zero | tr '\\0' x; echo end >&2" });
  expect(dropped).toBe(`${'x'.repeat(10 * 1024 * 1024)}\n${outputDropped}\nend`);
  expect(await tools.text('bash', { command: "printf 'a\\377b'" })).toBe('a\ufffdb');
});

test('output is heard while the command runs', async () => {
  const stop = new AbortController();
  const running = tools.call(
    'bash',
    { command: 'echo first; sleep 60' },
    {
      signal: stop.signal,
      onOutput: () => stop.abort(),
    },
  );
  expect(await running).toMatchObject({ outcome: 'stopped', text: expect.stringMatching(/^first\n/) });
  expect(tools.output).toEqual(['first\n']);
});

test('invalid time limits are corrected', async () => {
  for (const timeout of [0, -5, 1e300, '1e999', 'soon'])
    expect(await tools.text('bash', { command: 'echo ok', timeout })).toBe('ok');
  for (const timeout of [0, -5, 1e300])
    expect(await tools.text('run_command', { command: 'echo', arguments: 'ok', timeout })).toBe('ok');
});

test('secrets of the environment do not reach children', async () => {
  vi.stubEnv('BRAVE_API_KEY', 'brave-secret');
  vi.stubEnv('GOOGLE_CLIENT_ID', 'client-id');
  vi.stubEnv('HARMLESS_NAME', 'visible');
  const text = await tools.text('bash', { command: 'env' });
  vi.unstubAllEnvs();
  expect(text).toContain('HARMLESS_NAME=visible');
  expect(text).not.toMatch(/brave-secret|client-id/);
});

test('run_command starts a program without a shell', async () => {
  const run = (command: string, args?: string, timeout?: number) =>
    tools.text('run_command', { command, arguments: args, timeout_seconds: timeout });
  expect(await run('echo', '$HOME && echo pwned')).toBe('$HOME && echo pwned');
  expect(await run('echo', '* | "a  b" > x \'c d\'')).toBe('* | a  b > x c d');
  expect(existsSync(join(tools.workspace, 'x'))).toBe(false);
  expect(await run('node', '-e "console.log(1);console.error(2);process.exit(9)"')).toBe('1\n2');
  expect(await run('node', '-e "console.error(2)"')).toBe('2');
  expect(await run('sleep', '30', 1)).toBe(processTimedOut);
  expect(await run('no-such-exe')).toBe(cannotStart('no-such-exe'));
  expect(await run('echo one  two')).toBe('one two');
  expect(await run('echo', '"open')).toBe(openQuote('double'));
  expect(await run('   ')).toBe(isRequired('command', 'Error running command: '));
  expect(await run('echo', 'a\0b')).toMatch(/^Error running command: /);
  expect(await run('echo', 'x'.repeat(5_000_000))).toMatch(/^Error running command: /);
});

test('a program whose name contains a blank is started', async () => {
  mkdirSync(join(tools.workspace, 'my tools'));
  writeFileSync(join(tools.workspace, 'my tools/say hi'), '#!/bin/sh\necho "hi $1"\n', { mode: 0o755 });
  expect(await tools.text('run_command', { command: './my tools/say hi' })).toBe('hi ');
  expect(await tools.text('run_command', { command: './my tools/say hi', arguments: 'you' })).toBe('hi you');
});

test('the question shows exactly what would run', async () => {
  const accessOf = async (name: string, input: unknown) => (await tools.effectsOf(name, input)).access;
  const directory = tools.workspace;
  const held = await tools.held();
  expect(await accessOf('bash', { command: 'rm -rf x' })).toEqual([
    { kind: 'command', class: 'execute', command: { kind: 'shell', line: 'rm -rf x' }, directory, ...held },
  ]);
  expect(await accessOf('run_command', { command: 'git', arguments: 'commit -m "a b"' })).toEqual([
    {
      kind: 'command',
      class: 'execute',
      command: { kind: 'argv', argv: ['git', 'commit', '-m', 'a b'] },
      directory,
      ...held,
    },
  ]);
});
