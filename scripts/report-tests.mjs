// @ts-check
import { summaryLine } from './test-summary.mjs';

/**
 * Runs tests, prints one line of counts at the end and sets the exit code. Tests that can't be run count as one that
 * failed.
 * @param {() => Promise<import('./test-summary.mjs').Summary>} runEverything
 */
export async function reportTests(runEverything) {
  const total = await runEverything().catch((error) => {
    process.stderr.write(`The tests could not be run: ${error instanceof Error ? error.stack : error}\n`);
    return { passed: 0, failed: 1, skipped: 0 };
  });
  process.stdout.write(`\n${summaryLine(total)}\n`);
  process.exitCode = total.failed > 0 ? 1 : 0;
}
