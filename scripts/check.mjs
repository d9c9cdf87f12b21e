// @ts-check
import './require-toolchain.mjs';
import { describeChecks, runChecks } from './checks.mjs';

const results = await runChecks();
const failed = results.filter((result) => !result.passed).length;
process.stdout.write(`${describeChecks(results)}\n${results.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
