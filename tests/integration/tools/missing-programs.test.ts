import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { allowAll } from '../../fixtures/allow-all.ts';
import { needPosix } from '../../fixtures/machine-needs.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';

/** What even the barest Linux has; neither Git nor curl. */
const THERE = ['bash', 'sh', 'ls', 'cat'];

let tools: ToolHarness;
beforeEach((context) => {
  needPosix(context);
  const bin = mkdtempSync(join(tmpdir(), 'steward-bare-path-'));
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
  for (const name of THERE) {
    const path = execFileSync('sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8' }).trim();
    symlinkSync(path, join(bin, name));
  }
  vi.stubEnv('PATH', bin);
  tools = new ToolHarness({ consent: allowAll });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await tools.dispose();
});

test.each(['git status', 'git log --oneline -3', 'curl -s https://example.org'])(
  'where its program is not installed, "%s" says which one is missing',
  async (command) => {
    const [program = '', ...args] = command.split(' ');
    expect(await tools.text('bash', { command })).toBe(`bash: line 1: ${program}: command not found\n[exit code 127]`);
    expect(await tools.text('execute_command', { command })).toMatch(new RegExp(`${program}: (?:command )?not found$`));
    expect(await tools.text('run_command', { command: program, arguments: args.join(' ') })).toContain(
      `${program} was not found. Give the name of a program in PATH or its path`,
    );
  },
);

test('what needs neither goes on working', async () => {
  tools.put('notes.md', 'bought milk\n');
  expect(await tools.text('bash', { command: 'cat notes.md' })).toBe('bought milk');
  expect(await tools.text('grep', { pattern: 'milk' })).toContain('notes.md');
});
