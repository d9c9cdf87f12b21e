// @ts-check
// `npm test`: every check and every test, one line of counts at the end. Arguments are passed to vitest.
import './require-toolchain.mjs';
import { describeChecks, runChecks } from './checks.mjs';
import { reportTests } from './report-tests.mjs';
import { runTests } from './run-vitest.mjs';
import { provideSystemForTests } from './system-packages.mjs';

await reportTests(runEverything);

/** @returns {Promise<import('./test-summary.mjs').Summary>} */
async function runEverything() {
  provideSystemForTests((line) => process.stdout.write(`${line}\n`));
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
