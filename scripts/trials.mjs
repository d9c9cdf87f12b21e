// @ts-check
// `npm run trials`: attacks made by a generator, in their thorough form: more of them than `npm test` takes.
import './require-toolchain.mjs';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportTests } from './report-tests.mjs';
import { runTests } from './run-vitest.mjs';

const FOLDER = 'tests/security';
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const files = readdirSync(join(ROOT, FOLDER))
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `${FOLDER}/${name}`)
  .filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('fixtures/repetitions.ts'));

await reportTests(() => runTests(files, { STEWARD_TEST_LONG: '1' }));
