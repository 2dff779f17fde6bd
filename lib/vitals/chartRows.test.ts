import { toInstant } from '../time/schema';
import { chartLine } from './chartLine';
import { chartRows } from './chartRows';
import type { VitalSeries } from './schema';

const start = Date.UTC(2026, 2, 7, 14);
const context = { expectedEveryMs: 1_000, spot: false };

describe('chartRows', () => {
  it('names a sample without a signal instead of leaving it out or showing its 0', () => {
    const series: VitalSeries = {
      kind: 'spo2',
      unit: '%',
      bucketMs: 0,
      points: [
        { takenAt: toInstant(start), value: 97, quality: 'good' },
        { takenAt: toInstant(start + 1_000), value: 0, quality: 'invalid' },
        { takenAt: toInstant(start + 2_000), value: 90, quality: 'questionable' },
      ],
    };
    expect(chartRows([chartLine(series, context)])).toEqual([
      { kind: 'spo2', at: start + 2_000, value: 90, bucket: null, quality: 'questionable', isPartlySilent: false },
      { kind: 'spo2', at: start + 1_000, value: null, bucket: null, quality: 'no signal', isPartlySilent: false },
      { kind: 'spo2', at: start, value: 97, bucket: null, quality: 'good', isPartlySilent: false },
    ]);
  });

  it('keeps the extremes of a bucket and the two rates apart', () => {
    const bucket = (kind: 'heartRate' | 'pulseRate', at: number): VitalSeries => ({
      kind,
      unit: '/min',
      bucketMs: 60_000,
      points: [{ takenAt: toInstant(at), min: 0, max: 80, last: 70, count: 60, questionable: 0 }],
      noSignal: [],
    });
    const lines = [chartLine(bucket('heartRate', start), context), chartLine(bucket('pulseRate', start + 1), context)];
    expect(chartRows(lines)).toEqual([
      {
        kind: 'pulseRate',
        at: start + 1,
        value: 70,
        bucket: { low: 0, high: 80, count: 60 },
        quality: 'good',
        isPartlySilent: false,
      },
      {
        kind: 'heartRate',
        at: start,
        value: 70,
        bucket: { low: 0, high: 80, count: 60 },
        quality: 'good',
        isPartlySilent: false,
      },
    ]);
  });

  it('has one row for each bucket: uncertain, without a signal, and both a value and no signal', () => {
    const at = (minute: number): string => toInstant(start + minute * 60_000);
    const series: VitalSeries = {
      kind: 'spo2',
      unit: '%',
      bucketMs: 60_000,
      points: [
        { takenAt: at(0), min: 96, max: 98, last: 97, count: 30, questionable: 0 },
        { takenAt: at(2), min: 80, max: 90, last: 88, count: 4, questionable: 2 },
      ],
      noSignal: [
        { takenAt: at(0), count: 30 },
        { takenAt: at(1), count: 60 },
      ],
    };
    expect(chartRows([chartLine(series, context)])).toEqual([
      {
        kind: 'spo2',
        at: start + 120_000,
        value: 88,
        bucket: { low: 80, high: 90, count: 4 },
        quality: 'questionable',
        isPartlySilent: false,
      },
      { kind: 'spo2', at: start + 60_000, value: null, bucket: null, quality: 'no signal', isPartlySilent: false },
      {
        kind: 'spo2',
        at: start,
        value: 97,
        bucket: { low: 96, high: 98, count: 30 },
        quality: 'good',
        isPartlySilent: true,
      },
    ]);
  });
});
