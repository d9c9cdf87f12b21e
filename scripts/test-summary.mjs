// @ts-check
/** @typedef {{ passed: number, failed: number, skipped: number }} Summary */

/**
 * Counts a vitest run so that nothing that went wrong counts as nothing: a file that could not be loaded, an error
 * outside any test, and a run that ended without a report are failures.
 * @param {unknown} report what vitest's JSON reporter wrote, or undefined
 * @param {number | null} exitCode vitest's exit code
 * @returns {Summary}
 */
export function summarize(report, exitCode) {
  if (!isReport(report)) return { passed: 0, failed: 1, skipped: 0 };
  const unloadable = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((result) => result.status === 'failed'),
  ).length;
  const failed = report.numFailedTests + unloadable;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * @param {Summary} summary
 * @returns {string} `N passed, N failed`, with `, N skipped` where some were
 */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: { status: string, assertionResults: { status: string }[] }[] }} Report
 * @param {unknown} value
 * @returns {value is Report}
 */
function isReport(value) {
  return typeof value === 'object' && value !== null && 'testResults' in value && Array.isArray(value.testResults);
}
