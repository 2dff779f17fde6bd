import { evaluateModule } from '../test/evaluateModule';

const evaluate = (expression: string): unknown => evaluateModule('failedTests.mjs', expression);

describe('the failed tests of a run', () => {
  it('are none if neither jest nor Playwright wrote a report', () => {
    expect(evaluate(`[it.jestFailures(null, '/w'), it.playwrightFailures(null)]`)).toEqual([[], []]);
  });

  it('are named with their files and messages, as are files that could not start', () => {
    const test = (fullName: string, status: string, failureMessages: string[] = []) => ({
      fullName,
      status,
      failureMessages,
    });
    const report = {
      testResults: [
        {
          name: '/w/lib/a.test.ts',
          status: 'failed',
          assertionResults: [
            test('a rises', 'failed', ['\u001B[31mwrong\u001B[39m\n\n  by 1']),
            test('a falls', 'passed'),
          ],
        },
        { name: '/w/lib/b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
        { name: '/w/lib/c.test.ts', status: 'passed', assertionResults: [test('c rises', 'passed')] },
      ],
    };
    expect(evaluate(`it.jestFailures(${JSON.stringify(report)}, '/w')`)).toEqual([
      'lib/a.test.ts: a rises (wrong | by 1)',
      'lib/b.test.ts: could not start (no such module)',
    ]);
  });

  it('include those of groups in a spec, and those that passed only at a second try', () => {
    const failed = { error: { message: 'not visible', location: { line: 7 } } };
    const spec = (title: string, status: string, results: object[]) => ({ title, tests: [{ status, results }] });
    const report = {
      suites: [
        {
          file: 'a.spec.ts',
          specs: [spec('opens', 'unexpected', [failed]), spec('closes', 'expected', [{}])],
          suites: [
            {
              file: 'a.spec.ts',
              specs: [spec('opens again', 'flaky', [failed, {}]), spec('waits', 'skipped', [])],
            },
          ],
        },
      ],
    };
    expect(evaluate(`it.playwrightFailures(${JSON.stringify(report)})`)).toEqual([
      'e2e/a.spec.ts: opens (line 7: not visible)',
      'e2e/a.spec.ts: opens again (line 7: not visible)',
    ]);
  });
});
