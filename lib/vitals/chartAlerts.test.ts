import fc from 'fast-check';
import type { ChartAlert } from '../alerts/chartMarksSchema';
import { toInstant } from '../time/schema';
import { alertExtremes, alertGroups, alertsOfChart } from './chartAlerts';

const minute = 60_000;
const start = Date.UTC(2026, 2, 7, 14);
const window = { from: start, to: start + 100 * minute };

function alert(id: number, from: number, to: number | null, change: Partial<ChartAlert> = {}): ChartAlert {
  return {
    id,
    parameter: 'spo2',
    priority: 'high',
    condition: to === null ? 'active' : 'ended',
    startedAt: toInstant(start + from * minute),
    endedAt: to === null ? null : toInstant(start + to * minute),
    raisedAt: toInstant(start + from * minute),
    acknowledged: null,
    closedAt: null,
    sentence: 'SpO2 77 % < 88',
    lowest: null,
    highest: null,
    ...change,
  };
}

const shown = (alerts: readonly ChartAlert[], smallest = 0) =>
  alertGroups(alerts, window, smallest).map(({ left, width, bars }) => [
    Math.round(left * 100),
    Math.round(width * 100),
    bars.map((bar) => bar.alert.id),
  ]);

describe('the alerts on a time axis', () => {
  it('begin and end with their condition, and last to the end of the window while it lasts', () => {
    expect(shown([alert(1, 10, 20), alert(2, 50, null)])).toEqual([
      [10, 10, [1]],
      [50, 50, [2]],
    ]);
  });

  it('end when they were closed if no one knows when the condition ended', () => {
    expect(shown([alert(1, 10, null, { closedAt: toInstant(start + 30 * minute) })])).toEqual([[10, 20, [1]]]);
  });

  it('are cut to the window, and those outside are not shown', () => {
    expect(shown([alert(1, -10, 20), alert(2, 90, 120), alert(3, -20, -10), alert(4, 101, 110)])).toEqual([
      [0, 20, [1]],
      [90, 10, [2]],
    ]);
  });

  it('that are too near to be pressed alone are one group, the most urgent drawn last', () => {
    const alerts = [alert(1, 10, 11), alert(2, 14, 15, { priority: 'low' }), alert(3, 40, 41)];
    expect(shown(alerts, 0.05)).toEqual([
      [10, 5, [2, 1]],
      [40, 5, [3]],
    ]);
  });

  it('at the end of the axis stay on it', () => {
    expect(shown([alert(1, 94, 95), alert(2, 99, 100)], 0.05)).toEqual([[94, 6, [1, 2]]]);
  });

  it('are each in one group, and groups neither overlap nor leave the axis', () => {
    const some = fc.array(fc.tuple(fc.integer({ min: -20, max: 120 }), fc.nat({ max: 60 })), { maxLength: 50 });
    fc.assert(
      fc.property(some, fc.double({ min: 0, max: 0.2, noNaN: true }), (times, smallest) => {
        const alerts = times.map(([from, length], index) => alert(index, from, from + length));
        const groups = alertGroups(alerts, window, smallest);
        const inWindow = times.flatMap(([from, length], index) => (from <= 100 && from + length >= 0 ? [index] : []));
        const grouped = groups.flatMap(({ bars }) => bars.map((bar) => bar.alert.id));
        expect(grouped.sort((a, b) => a - b)).toEqual(inWindow);
        for (const [index, { left, width, bars }] of groups.entries()) {
          const before = groups[index - 1];
          expect(left).toBeGreaterThanOrEqual(before === undefined ? 0 : before.left + before.width);
          expect(left + width).toBeLessThanOrEqual(1 + 1e-9);
          expect(width).toBeGreaterThanOrEqual(smallest);
          for (const bar of bars) {
            expect(bar.left).toBeGreaterThanOrEqual(left - 1e-9);
            expect(bar.left + bar.width).toBeLessThanOrEqual(left + width + 1e-9);
          }
        }
      }),
    );
  });
});

describe('the alerts of a chart', () => {
  it('are those about its value, and those about the patient or the equipment as a whole', () => {
    const alerts = (['spo2', 'spo2Quality', 'rate', 'rateQuality', 'news2', 'reporting'] as const).map(
      (parameter, id) => alert(id, 0, 1, { parameter }),
    );
    const of = (quantity: 'spo2' | 'rate') => alertsOfChart(alerts, quantity).map(({ parameter }) => parameter);
    expect(of('spo2')).toEqual(['spo2', 'spo2Quality', 'news2', 'reporting']);
    expect(of('rate')).toEqual(['rate', 'rateQuality', 'news2', 'reporting']);
  });

  it('have values that the axis must contain', () => {
    const alerts = [
      alert(1, 0, 1, { lowest: 62, highest: 87 }),
      alert(2, 0, 1, { parameter: 'rate', lowest: 30, highest: 160 }),
      alert(3, 0, 1, { parameter: 'news2' }),
    ];
    expect(alertExtremes(alerts, 'spo2')).toEqual({ low: 62, high: 87 });
    expect(alertExtremes(alerts, 'rate')).toEqual({ low: 30, high: 160 });
    expect(alertExtremes([], 'spo2')).toBeNull();
  });
});
