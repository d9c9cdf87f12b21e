import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { summarize, summaryLine } from '../../../scripts/test-summary.mjs';

const ROOT = join(import.meta.dirname, '../../..');

/** The summary line of a real vitest run over a folder of tests/fixtures/test-summary. */
async function summaryOf(folder: string): Promise<string> {
  const reports = await mkdtemp(join(tmpdir(), 'steward-test-summary-'));
  onTestFinished(() => rm(reports, { recursive: true, force: true }));
  const report = join(reports, 'report.json');
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const args = [vitest, 'run', `--root=${folder}`, '--reporter=json', `--outputFile=${report}`];
    spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' }).once('error', reject).once('close', resolve);
  });
  const text = await readFile(report, 'utf8');
  return summaryLine(summarize(JSON.parse(text), exitCode));
}

const example = (name: string) => join(ROOT, 'tests/fixtures/test-summary', name);

test('a green run counts its tests', async () => {
  expect(await summaryOf(example('green'))).toBe('1 passed, 0 failed');
});

test('failed tests, files that cannot be loaded and skipped tests are all counted', async () => {
  expect(await summaryOf(example('mixed'))).toBe('2 passed, 2 failed, 1 skipped');
});

test('an error outside any test is a failure', async () => {
  expect(await summaryOf(example('stray'))).toBe('1 passed, 1 failed');
});

test('a process that was killed in the middle of a test is a failure', async () => {
  expect(await summaryOf(example('killed'))).toBe('1 passed, 1 failed');
});

test('a run without tests is a failure', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'steward-no-tests-'));
  onTestFinished(() => rm(empty, { recursive: true, force: true }));
  expect(await summaryOf(empty)).toBe('0 passed, 1 failed');
});

test('a run that left no report is a failure', () => {
  expect(summaryLine(summarize(undefined, 0))).toBe('0 passed, 1 failed');
});
