// @ts-check
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { summarize } from './test-summary.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs tests and counts them.
 * @param {readonly string[]} args vitest's
 * @param {NodeJS.ProcessEnv} [env] added to ours
 * @returns {Promise<import('./test-summary.mjs').Summary>}
 */
export async function runTests(args, env = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'steward-test-report-'));
  try {
    const reportFile = join(folder, 'report.json');
    const exitCode = await runVitest([`--outputFile.json=${reportFile}`, ...args], env);
    return summarize(await readReport(reportFile), exitCode);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number | null>}
 */
function runVitest(args, env) {
  return new Promise((resolve, reject) => {
    const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
    const colors = process.stdout.isTTY ? [] : ['--no-color'];
    const child = spawn(
      process.execPath,
      [vitest, 'run', '--reporter=default', '--reporter=json', ...colors, ...args],
      {
        cwd: ROOT,
        env: { ...process.env, ...env },
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
