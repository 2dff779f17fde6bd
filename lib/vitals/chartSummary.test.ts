import type { ChartLine } from './chartLine';
import { chartSummary } from './chartSummary';

const from = Date.parse('2026-07-04T13:00:00Z');
const window = { from, to: from + 3_600_000 };

function line(kind: ChartLine['kind'], values: readonly number[]): ChartLine {
  const runs = [
    values.map((value, index) => ({
      at: from + index * 1_000,
      value,
      low: value,
      high: value,
      count: 1,
      quality: 'good' as const,
    })),
  ];
  return { kind, bucketMs: 0, gapMs: 30_000, runs: values.length === 0 ? [] : runs, invalidAt: [] };
}

describe('chartSummary', () => {
  it('says that there is no data', () => {
    expect(chartSummary([line('spo2', [])], [{ ...window, cause: 'no data' }], window, 'Europe/London')).toBe(
      '04 Jul, 14:00 to 04 Jul, 15:00 BST. No data.',
    );
  });

  it('gives the extremes, the last value with its time, and the gaps, in site time', () => {
    const gaps = [
      { from: from + 60_000, to: from + 120_000, cause: 'no data' as const },
      { from: from + 600_000, to: from + 900_000, cause: 'no signal' as const },
    ];
    expect(chartSummary([line('spo2', [97, 88, 94])], gaps, window, 'Europe/London')).toBe(
      '04 Jul, 14:00 to 04 Jul, 15:00 BST. SpO2 lowest 88 %, highest 97 %, last 94 % at 14:00:02. 2 gaps without ' +
        'data, the longest 5 min.',
    );
  });

  it('names heart rate and pulse rate each by its own label', () => {
    expect(chartSummary([line('heartRate', [0]), line('pulseRate', [61])], [], window, 'UTC')).toBe(
      '04 Jul, 13:00 to 04 Jul, 14:00 UTC. HR lowest 0 /min, highest 0 /min, last 0 /min at 13:00:00. PR lowest ' +
        '61 /min, highest 61 /min, last 61 /min at 13:00:00. No gaps.',
    );
  });
});
