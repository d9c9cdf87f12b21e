// @ts-check
// `npm run test:long`: what takes too long for each `npm test`. Random trials in their thorough form, `*.long.test.ts`,
// and the acceptance trial against prompt injection. One line of counts at the end.
import './require-toolchain.mjs';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findDojo, runTrial, TRIALS } from './dojo.mjs';
import { reportTests } from './report-tests.mjs';
import { runTests } from './run-vitest.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

await reportTests(runEverything);

/** @returns {Promise<import('./test-summary.mjs').Summary>} */
async function runEverything() {
  const total = await runTests(thoroughTests(), { STEWARD_TEST_LONG: '1' });
  const dojo = findDojo(process.env);
  if ('missing' in dojo) {
    process.stdout.write(`The trial against prompt injection was not run: ${dojo.missing}.\n`);
    return total;
  }
  for (const trial of TRIALS) {
    for (const { name, passed, found } of await runTrial(dojo.folder, trial)) {
      process.stdout.write(`${passed ? '✓' : '✗'} ${name}${found === '' ? '' : ` (${found})`}\n`);
      if (passed) total.passed += 1;
      else total.failed += 1;
    }
  }
  return total;
}

/** Tests that have a thorough form, and those that are too long for every run. */
function thoroughTests() {
  const files = readdirSync(join(ROOT, 'tests'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.test.ts'),
  );
  const paths = files.map((file) => join('tests', file));
  return paths.filter(
    (file) =>
      file.endsWith('.long.test.ts') || readFileSync(join(ROOT, file), 'utf8').includes('fixtures/repetitions.ts'),
  );
}
