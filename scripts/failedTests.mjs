import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Takes what jest wrote with --json; returns a line for each failed test, and for each file that could not start. */
export function jestFailures(report, root) {
  return (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    return failed.length === 0 && status === 'failed'
      ? [formatFailure(file, 'could not start', message)]
      : failed.map(({ fullName, failureMessages }) => formatFailure(file, fullName, failureMessages[0]));
  });
}

/** Takes what Playwright's JSON reporter wrote; returns a line for each test that failed, if only at its first try. */
export function playwrightFailures(report) {
  const failuresOf = ({ file, specs = [], suites = [] }) => [
    ...specs.flatMap(({ title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ results }) => formatFailure(`e2e/${file}`, title, errorOf(results))),
    ),
    ...suites.flatMap(failuresOf),
  ];
  return (report?.suites ?? []).flatMap(failuresOf);
}

/** The first error of a test's tries, with the line where it was thrown. */
function errorOf(results) {
  const error = results.find((result) => result.error)?.error;
  return error && `line ${error.location?.line ?? 'unknown'}: ${error.message}`;
}

/** A failure in at most 400 characters: where, which test, and the first lines of its message. */
function formatFailure(file, title, message = '') {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return `${file}: ${title}${lines.length === 0 ? '' : ` (${lines.slice(0, 4).join(' | ')})`}`.slice(0, 400);
}
