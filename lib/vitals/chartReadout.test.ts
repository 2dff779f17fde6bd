import type { ChartLine } from './chartLine';
import { pointAt } from './chartReadout';

function line(instants: readonly number[], bucketMs = 0): ChartLine {
  const runs = [instants.map((at) => ({ at, value: at, low: at, high: at, count: 1, quality: 'good' as const }))];
  return { kind: 'spo2', bucketMs, gapMs: 30_000, runs, invalidAt: [] };
}

describe('pointAt', () => {
  it.each([
    ['an empty line', line([]), 500, null],
    ['a time too far from any sample', line([0, 1_000]), 1_101, null],
    ['the limit itself', line([0, 1_000]), 1_100, 1_000],
    ['a sample', line([0, 1_000]), 1_000, 1_000],
    ['a time nearer to the first', line([0, 150]), 70, 0],
    ['a time nearer to the second', line([0, 150]), 80, 150],
    ['the end of a bucket', line([0], 1_000), 1_000, 0],
    ['a time past a bucket', line([0], 1_000), 1_101, null],
  ])('at %s', (_name, drawn, at, found) => {
    expect(pointAt(drawn, at, 100)?.at ?? null).toBe(found);
  });
});
