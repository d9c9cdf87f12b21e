import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { allowAll } from '../../fixtures/allow-all.ts';
import { needPython, needSandbox } from '../../fixtures/machine-needs.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';

/** What a command in the sandbox may use up, and what it leaves behind. */

let tools: ToolHarness;
beforeEach((context) => {
  needSandbox(context);
  tools = new ToolHarness({ consent: allowAll });
});
afterEach(() => tools?.dispose());

/** Far more than is needed: a limit of the sandbox is to end it, and not this one on a busy machine. */
const TIMEOUT_MS = 300_000;
const held = async (command: string) =>
  (await tools.turn('bash', { command, sandbox: 'read-only', timeout: TIMEOUT_MS })).result.text;

/** How many processes of this machine have the word in their command line. */
async function countOf(word: string): Promise<number> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const lines = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
  return (await Promise.all(lines)).filter((line) => line.includes(word)).length;
}

test.each([
  ['the temporary folder', '/tmp'],
  ['the home', '~'],
  ['shared memory', '/dev/shm'],
])('a file of 10 GB doesn’t fit into %s', async (_, folder) => {
  const text = await held(`head -c 10G /dev/zero > ${folder}/large; stat -c %s ${folder}/large`);
  expect(text).toContain('No space left on device');
  expect(Number(text.match(/^\d+$/m)?.[0])).toBeLessThanOrEqual(2 ** 29);
});

test.each(['/', '/dev', '/run', '/proc', '/sys', '/etc', '/usr', '/opt', '/var'])(
  'nothing can be written to %s',
  async (folder) => {
    expect(await held(`touch ${folder}/new && echo through`)).not.toContain('through');
  },
);

test('output without end is cut', async () => {
  const text = await held('head -c 1G /dev/zero | tr "\\0" x');
  expect(text).toContain('[output beyond 10 MB was dropped]');
  expect(text.length).toBeLessThan(11 * 1024 * 1024);
});

test('memory in files without a name is counted', async (context) => {
  needPython(context);
  const python = `import os
f = os.memfd_create("x")
for _ in range(40): os.write(f, b"x" * 2 ** 26)
print("through")`;
  expect(await held(`/usr/bin/python3 -c '${python}'`)).toMatch(/\[ended: [^\n]+temporary files/);
});

test('a fork bomb ends, with all that it started', async () => {
  const inside = await tools.environment.sandbox.command({
    argv: ['bash', '-c', 'while true; do setsid env -i sleep 4567.5 & done'],
    directory: tools.workspace,
    roots: [tools.workspace],
    hidden: [],
    profile: tools.environment.files.profileDirectory,
  });
  const outcome = await tools.processes.run({
    ...inside,
    directory: tools.workspace,
    signal: new AbortController().signal,
    limits: { memoryBytes: 2 ** 30, temporaryBytes: 2 ** 30, timeMs: 60_000, processes: 100 },
  });
  expect(outcome.ending).toBe('over-processes');
  await expect.poll(() => countOf('4567.5')).toBe(0);
});

test('what leaves its session and its environment ends with the command', async () => {
  const daemon = 'setsid env -i bash -c "sleep 4568.5 & sleep 4568.5" > /dev/null 2>&1 < /dev/null &';
  const text = await held(`${daemon} sleep 0.3; cat /proc/[0-9]*/cmdline | tr "\\0" " " | grep -c 4568.5`);
  expect(Number(text)).toBeGreaterThan(0);
  await expect.poll(() => countOf('4568.5')).toBe(0);
});
