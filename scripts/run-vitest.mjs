// @ts-check
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isOpenToOthers, withOpenPlace } from './open-place.mjs';
import { summarize } from './test-summary.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs tests and counts them.
 * @param {readonly string[]} args arguments for vitest
 * @param {NodeJS.ProcessEnv} [env] variables added to ours
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
  if (isOpenToOthers()) return runVitestIn(ROOT, [], args, env);
  return withOpenPlace(ROOT, (place) => {
    if (place !== undefined) return runVitestIn(place.folder, place.prefix, args, env);
    process.stdout.write(`Other users can’t enter ${ROOT}: what is tried as one of them is skipped.\n`);
    return runVitestIn(ROOT, [], args, env);
  });
}

/**
 * @param {string} root where the working copy is seen
 * @param {readonly string[]} prefix the beginning of the command line
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number | null>}
 */
function runVitestIn(root, prefix, args, env) {
  return new Promise((resolve, reject) => {
    const isOurs = process.execPath.startsWith(ROOT);
    const node = isOurs ? join(root, relative(ROOT, process.execPath)) : process.execPath;
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const colors = process.stdout.isTTY ? [] : ['--no-color'];
    const line = [...prefix, node, vitest, 'run', '--reporter=default', '--reporter=json', ...colors, ...args];
    const [program = '', ...rest] = line;
    const child = spawn(program, rest, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
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
