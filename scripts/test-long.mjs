// @ts-check
// `npm run test:long` runs what takes too long for each `npm test`: `*.long.test.ts`, and a sample of the acceptance
// trial against prompt injection. It ends with one line of counts.
import './require-toolchain.mjs';
import { runTrials } from './dojo.mjs';
import { reportTests } from './report-tests.mjs';
import { runTests } from './run-vitest.mjs';
import { testFiles } from './test-files.mjs';

await reportTests(async () => {
  const tests = await runTests(
    testFiles().filter((file) => file.endsWith('.long.test.ts')),
    { STEWARD_TEST_LONG: '1' },
  );
  const { passed, failed } = await runTrials('sample');
  return { ...tests, passed: tests.passed + passed, failed: tests.failed + failed };
});
