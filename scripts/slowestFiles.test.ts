import { evaluateModule } from '../test/evaluateModule';

const evaluate = (expression: string): unknown => evaluateModule('slowestFiles.mjs', expression);

describe('the slowest files of a run', () => {
  it('are none if neither jest nor Playwright wrote a report', () => {
    expect(evaluate(`[it.jestSeconds(null, '/w'), it.playwrightSeconds(null), it.formatSlowest([])]`)).toEqual([
      [],
      [],
      [],
    ]);
  });

  it('have the seconds that jest says', () => {
    const report = { testResults: [{ name: '/w/lib/a.test.ts', startTime: 1_000, endTime: 3_500 }] };
    expect(evaluate(`it.jestSeconds(${JSON.stringify(report)}, '/w')`)).toEqual([
      { file: 'lib/a.test.ts', seconds: 2.5 },
    ]);
  });

  it('have the seconds of all tests of a spec, those in groups included', () => {
    const spec = (duration: number) => ({ tests: [{ results: [{ duration }] }] });
    const report = { suites: [{ file: 'a.spec.ts', specs: [spec(1_000)], suites: [{ specs: [spec(2_000)] }] }] };
    expect(evaluate(`it.playwrightSeconds(${JSON.stringify(report)})`)).toEqual([
      { file: 'e2e/a.spec.ts', seconds: 3 },
    ]);
  });

  it('are ten lines, the slowest first', () => {
    const files = Array.from({ length: 12 }, (_, index) => ({ file: `f${index}`, seconds: index }));
    const lines = evaluate(`it.formatSlowest(${JSON.stringify(files)})`) as string[];
    expect(lines).toHaveLength(10);
    expect(lines[0]).toBe('   11.0 s  f11');
  });
});
