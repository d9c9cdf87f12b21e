// @ts-check
// `npm run trials` runs random trials and attacks made by a generator in their thorough form, of which the other runs
// take a sample, and the whole acceptance trial against prompt injection. It ends with one line of counts.
import './require-toolchain.mjs';
import { readFileSync } from 'node:fs';
import { runTrials } from './dojo.mjs';
import { reportTests } from './report-tests.mjs';
import { runTests } from './run-vitest.mjs';
import { testFiles } from './test-files.mjs';

await reportTests(async () => {
  const files = testFiles().filter((file) =>
    readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').includes('fixtures/repetitions.ts'),
  );
  const tests = await runTests(files, { STEWARD_TEST_LONG: '1', STEWARD_TRIALS: '1' });
  const { passed, failed } = await runTrials('whole');
  return { ...tests, passed: tests.passed + passed, failed: tests.failed + failed };
});
