/** How many tests passed, failed and were skipped. */

const none = { passed: 0, failed: 0, skipped: 0 };

/** A step that only has an exit code counts as one test; null means that the step did not run. */
export function stepSums(code) {
  return code === null ? none : code === 0 ? { ...none, passed: 1 } : { ...none, failed: 1 };
}

/**
 * Takes what jest wrote with --json and its exit code. A file whose tests could not even start counts as one failure,
 * and so do a run that failed although no test did (a thrown globalSetup) and one that left no report.
 */
export function jestSums(report, code) {
  const found =
    report === null
      ? stepSums(1)
      : {
          passed: report.numPassedTests,
          failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
          skipped: report.numPendingTests + report.numTodoTests,
        };
  return withExitCode(found, code);
}

/**
 * Takes what Playwright's JSON reporter wrote and the exit code. A test that passed only at a second try has failed.
 */
export function playwrightSums(report, code) {
  const found =
    report === null
      ? stepSums(1)
      : {
          passed: report.stats.expected,
          failed: report.stats.unexpected + report.stats.flaky,
          skipped: report.stats.skipped,
        };
  return withExitCode(found, code);
}

export function addSums(one, other) {
  return { passed: one.passed + other.passed, failed: one.failed + other.failed, skipped: one.skipped + other.skipped };
}

export function formatSums({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}

function withExitCode(sums, code) {
  return code !== 0 && sums.failed === 0 ? { ...sums, failed: 1 } : sums;
}
