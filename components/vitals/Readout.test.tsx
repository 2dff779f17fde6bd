import { render } from '@testing-library/react';
import { chartAxis } from '../../lib/vitals/chartAxis';
import { chartLine } from '../../lib/vitals/chartLine';
import type { VitalSeries } from '../../lib/vitals/schema';
import type { PlotModel } from './plotModel';
import { Readout } from './Readout';

const from = Date.parse('2026-07-04T13:00:00Z');

function modelOf(series: VitalSeries, kind: 'spo2' | 'heartRate'): PlotModel {
  const lines = [{ ...chartLine(series, { expectedEveryMs: 1_000, spot: false }), kind }];
  return {
    lines,
    gaps: [],
    window: { from, to: from + 3_600_000 },
    axis: chartAxis('spo2', null),
    limits: [],
    targets: [],
    isLive: true,
    timeZone: 'Europe/London',
  };
}

const samples = modelOf(
  {
    kind: 'spo2',
    unit: '%',
    bucketMs: 0,
    points: [
      { takenAt: new Date(from).toISOString(), value: 97, quality: 'good' },
      { takenAt: new Date(from + 60_000).toISOString(), value: 88, quality: 'questionable' },
    ],
  },
  'spo2',
);

function said(model: PlotModel, at: number | null): string {
  const { container } = render(<Readout model={model} pointed={at === null ? null : { at, msPerPixel: 1_000 }} />);
  return container.textContent;
}

describe('Readout', () => {
  it('shows no value if nothing was measured, but the time', () => {
    expect(said(samples, from + 30_000)).toMatch(/^SpO2 no data14:00:30 BST/);
  });

  it('distinguishes a time without a signal from one without data', () => {
    const silent = modelOf(
      {
        kind: 'spo2',
        unit: '%',
        bucketMs: 60_000,
        points: [],
        noSignal: [{ takenAt: new Date(from).toISOString(), count: 60 }],
      },
      'spo2',
    );
    expect(said(silent, from + 59_000)).toMatch(/^SpO2 no signal14:00:59 BST/);
    expect(said(silent, from + 120_000)).toMatch(/^SpO2 no data14:02:00 BST/);
  });

  it('shows the value with its own time to the second and the zone', () => {
    expect(said(samples, from + 2_000)).toMatch(/^SpO2 97 %14:00:00 BST/);
  });

  it('says the day of a value that is not of the day on which the chart ends', () => {
    const twoDays = { ...samples, window: { from, to: from + 2 * 86_400_000 } };
    expect(said(twoDays, from)).toMatch(/^SpO2 97 %04 Jul 2026, 14:00:00 BST/);
  });

  it('says that a value is uncertain', () => {
    expect(said(samples, from + 60_000)).toMatch(/^SpO2 88 %, signal uncertain14:01:00 BST/);
  });

  it('says that a value was typed in, and when a late one arrived, with the day if it was another', () => {
    const origin = (receivedAt: string, by: { isByPatient?: true } = {}) =>
      modelOf(
        {
          kind: 'spo2',
          unit: '%',
          bucketMs: 0,
          points: [
            { takenAt: new Date(from).toISOString(), value: 97, quality: 'good', isManual: true, ...by, receivedAt },
          ],
        },
        'spo2',
      );
    expect(said(origin('2026-07-04T13:20:00Z'), from)).toMatch(/^SpO2 97 %, typed in, arrived 14:20/);
    expect(said(origin('2026-07-04T13:20:00Z', { isByPatient: true }), from)).toMatch(
      /^SpO2 97 %, typed in by the patient, arrived 14:20/,
    );
    expect(said(origin('2026-07-05T13:20:00Z'), from)).toContain('arrived 05 Jul, 14:20');
  });

  it('shows the extremes of a bucket and that half of it is uncertain, and a heart rate of 0', () => {
    const points = [{ takenAt: new Date(from).toISOString(), min: 0, max: 80, last: 0, count: 60, questionable: 30 }];
    expect(
      said(modelOf({ kind: 'heartRate', unit: '/min', bucketMs: 60_000, points, noSignal: [] }, 'heartRate'), from),
    ).toMatch(/^HR 0 \/min \(0 to 80\), signal uncertain14:00:00 BST/);
  });

  it('shows the extremes of the window without a pointer', () => {
    expect(said(samples, null)).toBe('SpO2 lowest 88, highest 97');
  });

  it('adds the viewer’s time if their zone is another one', () => {
    const zone = jest.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions');
    zone.mockReturnValue({ ...new Intl.DateTimeFormat().resolvedOptions(), timeZone: 'Asia/Tokyo' });
    expect(said(samples, from)).toBe('SpO2 97 %14:00:00 BST (yours 22:00:00 GMT+9)');
    zone.mockReturnValue({ ...new Intl.DateTimeFormat().resolvedOptions(), timeZone: 'Europe/London' });
    expect(said(samples, from)).toBe('SpO2 97 %14:00:00 BST');
  });
});
