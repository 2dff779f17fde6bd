import { relative } from 'node:path';

/** Takes what jest wrote with --json; returns each test file with its seconds. */
export function jestSeconds(report, root) {
  return (report?.testResults ?? []).map(({ name, startTime, endTime }) => ({
    file: relative(root, name),
    seconds: (endTime - startTime) / 1_000,
  }));
}

/** Takes what Playwright's JSON reporter wrote; returns each spec with the seconds of its tests. */
export function playwrightSeconds(report) {
  const secondsOf = ({ specs = [], suites = [] }) =>
    specs
      .flatMap(({ tests }) => tests)
      .flatMap(({ results }) => results)
      .reduce((sum, { duration }) => sum + duration / 1_000, 0) +
    suites.reduce((sum, suite) => sum + secondsOf(suite), 0);
  return (report?.suites ?? []).map((suite) => ({ file: `e2e/${suite.file}`, seconds: secondsOf(suite) }));
}

/** Returns a line for each of the ten files that took longest. */
export function formatSlowest(files) {
  return files
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, 10)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
}
