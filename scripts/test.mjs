// @ts-check
// `npm test` runs every check and every test, and ends with one line of counts. Arguments are passed to vitest.
import './require-toolchain.mjs';
import { describeChecks, runChecks } from './checks.mjs';
import { progressOn } from './electron-evaluation-runtime.mjs';
import { NoElectronError, provideElectron } from './electron-runtime.mjs';
import { reportTests } from './report-tests.mjs';
import { runTests } from './run-vitest.mjs';
import { provideSystemForTests } from './system-packages.mjs';

await reportTests(runEverything);

/**
 * Fetches Electron before anything else if the window is tested too, so that the one line about what is missing has its
 * libraries in it.
 * @param {(line: string) => void} say
 */
async function electronForAll(say) {
  if (process.argv.length > 2) return undefined;
  try {
    return (await provideElectron({ say, onProgress: progressOn(process.stderr) })).executable;
  } catch (error) {
    if (!(error instanceof NoElectronError)) throw error;
    // The tests of the window say so themselves.
    return undefined;
  }
}

/** @returns {Promise<import('./test-summary.mjs').Summary>} */
async function runEverything() {
  const say = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`);
  provideSystemForTests(say, await electronForAll(say));
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
