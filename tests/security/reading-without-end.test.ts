/**
 * Commands that only read, and so run without a question, but take all memory, fill the temporary folder, or never end.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { assessReading, readingToRun } from '../../src-main/tools/shell/assessed-reading.ts';
import { UNASKED_LIMITS } from '../../src-main/tools/shell/unasked-limits.ts';
import type { DecisionBy } from '../../src-preload/contract/events.ts';
import { needLinux } from '../fixtures/machine-needs.ts';
import { no, User, yesOnce } from '../fixtures/memory-ports.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';

let tools: ToolHarness | undefined;
beforeEach((context) => needLinux(context, 'options and programs are those of GNU'));
afterEach(() => tools?.dispose());

const harness = (answer = no) => {
  tools = new ToolHarness({ consent: new User(() => answer) });
  return tools;
};

const temporaryFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('steward-run-'));

const AWK = `BEGIN { for (s = "x"; ; s = s s) n += 1 }`;
const JQ = 'reduce range(40) as $n ("xxxxxxxx"; . + .)';
const WITHOUT_END: readonly (readonly [tool: string, input: Record<string, unknown>])[] = [
  ['bash', { command: `cat README.md | awk '${AWK}' | sort | head -1`, timeout: 110_000 }],
  ['execute_command', { command: `cat README.md && jq -n '${JQ}' 2>&1`, timeout: 110 }],
  ['run_command', { command: 'awk', arguments: `'${AWK}'`, timeout: 110 }],
];

test.each(WITHOUT_END)('%s %j is ended, and says so', async (tool, input) => {
  const it = harness();
  it.put('README.md', 'hello\n');
  const { decision, result } = await it.turn(tool, { ...input });
  expect(decision).toMatchObject({ answer: 'allow', reason: { code: 'command_reads' } });
  expect(result.text).toContain('1 GB of memory');
  expect(result.text).toContain('run_in_background');
  expect(it.cards.at(-1)).toMatchObject(tool === 'run_command' ? {} : { kind: 'terminal', ending: 'over-memory' });
});

test('what sort puts aside is in a folder of its own, and gone afterwards', async () => {
  const place = mkdtempSync(join(tmpdir(), 'steward-limits-'));
  vi.stubEnv('TMPDIR', place);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(place, { recursive: true, force: true });
  });
  const it = harness();
  const command = `awk 'BEGIN { for (s = "x"; length(s) < 100000; s = s s) n += 1; for (;;) print s }' | sort -S 5M`;
  const running = it.turn('bash', { command, timeout: 10_000 });
  await expect
    .poll(() => temporaryFolders().flatMap((name) => readdirSync(join(tmpdir(), name))).length, { timeout: 9_000 })
    .toBeGreaterThan(0);
  const { decision, result } = await running;
  expect(decision.answer).toBe('allow');
  expect(result.text).toMatch(/timed out|temporary files/);
  expect(temporaryFolders()).toEqual([]);
});

test('a pipeline of hundreds of programs asks', async () => {
  const it = harness();
  const { decision } = await it.turn('bash', { command: `echo x ${'| cat '.repeat(300)}` });
  expect(decision.answer).toBe('deny');
});

describe('what the user was asked about has no limit', () => {
  test('a reading line that they or their rule allowed', async () => {
    const { environment, workspace } = harness();
    const { files } = environment;
    const folder = { given: '.', real: workspace, leadsThere: async () => true };
    const context = { files, env: process.env };
    const reading = await assessReading({ kind: 'shell', line: 'ls' }, folder, context);
    if (reading === undefined) throw new Error('ls is not known to read');
    const limitsBy = async (allowedBy: DecisionBy) =>
      (await readingToRun(reading, folder, { ...context, allowedBy })).limits;
    expect(await limitsBy('default')).toBe(UNASKED_LIMITS);
    expect([await limitsBy('user'), await limitsBy('rule'), await limitsBy('flag')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('the same in the background', async () => {
    const it = harness(yesOnce);
    const command = `awk 'BEGIN { for (s = "x"; length(s) < 1000000000; s = s s); print length(s) }'`;
    const { decision } = await it.turn('bash', { command, run_in_background: true });
    expect(decision).toMatchObject({ answer: 'allow', by: 'user' });
    await expect.poll(() => it.shells.get('shell_1')?.outcome, { timeout: 60_000 }).toBeDefined();
    expect(it.shells.get('shell_1')?.output.stdout).toBe(`${2 ** 30}\n`);
  }, 90_000);
});

describe('reading never meets the limits', () => {
  test.each([
    ['sort with as much memory as it wants', 'sort -S 90% large.txt | tail -1'],
    ['sort', 'sort large.txt | tail -1'],
    ['tac', 'cat large.txt | tac | tail -1'],
    ['rg', 'rg -c . large.txt'],
    ['awk', `awk '{ n += length($0) } END { print n }' large.txt`],
    ['node, which reserves much and uses little', 'node --version'],
    ['java', 'java --version'],
  ])('%s', async (_, command) => {
    const it = harness();
    it.put('large.txt', 'a line of a large file, as logs have them\n'.repeat(500_000));
    const { result } = await it.turn('bash', { command, timeout: 100_000 });
    expect(result.text).not.toMatch(/without a question|timed out/);
  });
});
