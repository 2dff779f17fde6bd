import { evaluateModule } from '../test/evaluateModule';

const evaluate = (expression: string): unknown => evaluateModule('sums.mjs', expression);

const jestReport = (found: object): string =>
  JSON.stringify({
    numPassedTests: 0,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    numRuntimeErrorTestSuites: 0,
    ...found,
  });
const playwrightReport = (found: object): string =>
  JSON.stringify({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...found } });

describe('the sums of npm test', () => {
  it.each([
    ['jest wrote no report', 'it.jestSums(null, 1)', { passed: 0, failed: 1, skipped: 0 }],
    [
      'jest failed although no test did',
      `it.jestSums(${jestReport({ numPassedTests: 3 })}, 1)`,
      { passed: 3, failed: 1, skipped: 0 },
    ],
    [
      'a test file could not start',
      `it.jestSums(${jestReport({ numPassedTests: 3, numRuntimeErrorTestSuites: 1 })}, 1)`,
      { passed: 3, failed: 1, skipped: 0 },
    ],
    [
      'a test failed and the exit code says so too',
      `it.jestSums(${jestReport({ numPassedTests: 3, numFailedTests: 2 })}, 1)`,
      { passed: 3, failed: 2, skipped: 0 },
    ],
    ['Playwright wrote no report', 'it.playwrightSums(null, 1)', { passed: 0, failed: 1, skipped: 0 }],
    [
      'Playwright failed although no test did',
      `it.playwrightSums(${playwrightReport({ expected: 2 })}, 1)`,
      { passed: 2, failed: 1, skipped: 0 },
    ],
    [
      'a browser test passed at its second try only',
      `it.playwrightSums(${playwrightReport({ expected: 2, flaky: 1 })}, 0)`,
      { passed: 2, failed: 1, skipped: 0 },
    ],
    ['a step ended with a code', 'it.stepSums(2)', { passed: 0, failed: 1, skipped: 0 }],
  ])('count a failure when %s', (_, expression, expected) => {
    expect(evaluate(expression)).toEqual(expected);
  });

  it.each([
    [
      'skipped and planned tests',
      `it.jestSums(${jestReport({ numPassedTests: 3, numPendingTests: 1, numTodoTests: 1 })}, 0)`,
      { passed: 3, failed: 0, skipped: 2 },
    ],
    [
      'skipped browser tests',
      `it.playwrightSums(${playwrightReport({ expected: 2, skipped: 1 })}, 0)`,
      { passed: 2, failed: 0, skipped: 1 },
    ],
    ['a step that passed as one', 'it.stepSums(0)', { passed: 1, failed: 0, skipped: 0 }],
    [
      'everything together',
      'it.addSums({ passed: 1, failed: 2, skipped: 3 }, { passed: 10, failed: 20, skipped: 30 })',
      { passed: 11, failed: 22, skipped: 33 },
    ],
  ])('count %s', (_, expression, expected) => {
    expect(evaluate(expression)).toEqual(expected);
  });

  it.each([
    ['{ passed: 12, failed: 0, skipped: 0 }', '12 passed, 0 failed'],
    ['{ passed: 12, failed: 1, skipped: 3 }', '12 passed, 1 failed, 3 skipped'],
  ])('are written as one line: %s', (sums, line) => {
    expect(evaluate(`it.formatSums(${sums})`)).toBe(line);
  });
});
