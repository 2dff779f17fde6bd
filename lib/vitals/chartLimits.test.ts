import type { ChartLimitStep, ChartMarks } from '../alerts/chartMarksSchema';
import { toInstant } from '../time/schema';
import { chartLimits, chartTargets, limitLabel } from './chartLimits';

const minute = 60_000;
const start = Date.UTC(2026, 2, 7, 14);
const window = { from: start, to: start + 60 * minute };

const line = (
  value: number,
  change: Partial<ChartLimitStep['lines'][number]> = {},
): ChartLimitStep['lines'][number] => ({
  parameter: 'spo2',
  priority: 'high',
  is: 'below',
  value,
  onOxygen: false,
  ...change,
});
const medium = (value: number, change: Partial<ChartLimitStep['lines'][number]> = {}) =>
  line(value, { priority: 'medium', is: 'atMost', ...change });

function marks(
  steps: readonly [minute: number, lines: ChartLimitStep['lines'], target?: { low: number; high: number }][],
  until = 60,
): ChartMarks {
  return {
    patientId: 1,
    from: toInstant(start),
    to: toInstant(start + until * minute),
    target: { low: 94, high: 98, scale: 1, isConfirmed: false },
    limits: steps.map(([at, lines, target = { low: 94, high: 98 }]) => ({
      from: toInstant(start + at * minute),
      scale: 1,
      target,
      isTargetConfirmed: false,
      lines,
    })),
    alerts: [],
    hasMoreAlerts: false,
    notes: [],
  };
}

const shown = (given: ChartMarks, at = window) =>
  chartLimits(given, 'spo2', at).map(({ priority, value, from, to, beyondTo }) => [
    priority,
    value,
    (from - start) / minute,
    (to - start) / minute,
    beyondTo,
  ]);

describe('the limits of a chart', () => {
  it('are each drawn, and what lies beyond two HIGH limits is tinted once', () => {
    expect(shown(marks([[0, [line(88), line(78), medium(91)]]]))).toEqual([
      ['high', 88, 0, 60, null],
      ['high', 78, 0, 60, 78],
      ['medium', 91, 0, 60, 88],
    ]);
  });

  it('are steps over the time in which each held', () => {
    const both = (high: number) => [line(high), medium(91)];
    const steps: Parameters<typeof marks>[0] = [
      [0, both(88)],
      [20, both(85)],
      [50, [medium(91)]],
    ];
    expect(shown(marks(steps))).toEqual([
      ['high', 88, 0, 20, null],
      ['medium', 91, 0, 20, 88],
      ['high', 85, 20, 50, null],
      ['medium', 91, 20, 50, 85],
      ['medium', 91, 50, 60, null],
    ]);
  });

  it('are one line over a change of something else', () => {
    const given = marks([
      [0, [line(88)], { low: 94, high: 98 }],
      [20, [line(88)], { low: 88, high: 92 }],
    ]);
    expect(shown(given)).toEqual([['high', 88, 0, 60, null]]);
    expect(chartTargets(given, window)).toEqual([
      { from: start, to: start + 20 * minute, low: 94, high: 98 },
      { from: start + 20 * minute, to: window.to, low: 88, high: 92 },
    ]);
  });

  it('are cut to the window, and not drawn where nothing is known', () => {
    const given = marks([[0, [line(88)]]]);
    const zoomed = { from: start - 10 * minute, to: start + 30 * minute };
    expect(shown(given, zoomed)).toEqual([['high', 88, 0, 30, null]]);
    expect(shown(given, { from: start, to: start + 62 * minute })).toEqual([['high', 88, 0, 62, null]]);
    expect(shown(given, { from: start, to: start + 63 * minute })).toEqual([['high', 88, 0, 60, null]]);
    expect(shown(given, { from: start + 70 * minute, to: start + 80 * minute })).toEqual([]);
  });

  it('are those of its own value', () => {
    const given = marks([[0, [line(88), line(150, { parameter: 'rate', is: 'atLeast' })]]]);
    expect(shown(given)).toEqual([['high', 88, 0, 60, null]]);
    expect(chartLimits(given, 'rate', window).map(({ value }) => value)).toEqual([150]);
  });

  it('leave a MEDIUM limit nothing beyond a HIGH one that is reached first', () => {
    expect(shown(marks([[0, [line(88), medium(85)]]]))[1]).toEqual(['medium', 85, 0, 60, 85]);
  });

  it.each([
    [line(88), 'High < 88'],
    [medium(91), 'Med ≤ 91'],
    [medium(97, { is: 'atLeast', onOxygen: true }), 'Med ≥ 97 O₂'],
  ])('are named at the edge: %#', (given, label) => {
    expect(limitLabel({ ...given, beyondTo: null })).toBe(label);
  });
});
