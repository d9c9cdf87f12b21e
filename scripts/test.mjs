// @ts-check
// `npm test`: every check and every test, one line of counts at the end. Arguments go to vitest.
import './require-toolchain.mjs';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeChecks, runChecks } from './checks.mjs';
import { provideSystemPackages } from './system-packages.mjs';
import { summarize, summaryLine } from './test-summary.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const total = await runEverything().catch((error) => {
  process.stderr.write(`The tests could not be run: ${error instanceof Error ? error.stack : error}\n`);
  return { passed: 0, failed: 1, skipped: 0 };
});
process.stdout.write(`\n${summaryLine(total)}\n`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** @returns {Promise<import('./test-summary.mjs').Summary>} */
async function runEverything() {
  provideSystemPackages((line) => process.stdout.write(`${line}\n`));
  const checks = await runChecks();
  process.stdout.write(describeChecks(checks));
  const tests = await runTests(process.argv.slice(2));
  const ranNone = tests.passed + tests.failed === 0;
  if (ranNone) process.stdout.write('No test ran, which counts as one that failed.\n');
  const checksFailed = checks.filter((check) => !check.passed).length;
  return {
    passed: tests.passed + checks.length - checksFailed,
    failed: tests.failed + checksFailed + (ranNone ? 1 : 0),
    skipped: tests.skipped,
  };
}

/**
 * @param {string[]} args
 * @returns {Promise<import('./test-summary.mjs').Summary>}
 */
async function runTests(args) {
  const folder = await mkdtemp(join(tmpdir(), 'steward-test-report-'));
  try {
    const reportFile = join(folder, 'report.json');
    const exitCode = await runVitest([`--outputFile.json=${reportFile}`, ...args]);
    return summarize(await readReport(reportFile), exitCode);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string[]} args
 * @returns {Promise<number | null>}
 */
function runVitest(args) {
  return new Promise((resolve, reject) => {
    const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
    const colors = process.stdout.isTTY ? [] : ['--no-color'];
    const child = spawn(
      process.execPath,
      [vitest, 'run', '--reporter=default', '--reporter=json', ...colors, ...args],
      {
        cwd: ROOT,
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    );
    child.once('error', reject);
    child.once('close', resolve);
  });
}

/**
 * @param {string} file
 * @returns {Promise<unknown>}
 */
async function readReport(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    process.stderr.write(`vitest left no readable report: ${error instanceof Error ? error.message : error}\n`);
    return undefined;
  }
}
