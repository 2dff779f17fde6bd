import type { LatestValue } from './schema';
import { shownRate } from './shownRate';

const now = Date.parse('2026-03-07T15:00:00Z');

function aged(seconds: number, change: Partial<LatestValue> = {}): LatestValue {
  const asOf = new Date(now - seconds * 1000).toISOString();
  return {
    value: 80,
    unit: '/min',
    takenAt: asOf,
    receivedAt: asOf,
    asOf,
    quality: 'good',
    source: 'monitor',
    expectedEveryMs: 1_000,
    lastValid: null,
    ...change,
  };
}

describe('shownRate', () => {
  it.each([
    ['the heart rate before the pulse rate', { heartRate: aged(1), pulseRate: aged(1) }, 'heartRate'],
    ['a heart rate of 0, which is a value', { heartRate: aged(1, { value: 0 }), pulseRate: aged(1) }, 'heartRate'],
    ['a stale heart rate before a live pulse rate', { heartRate: aged(60), pulseRate: aged(1) }, 'heartRate'],
    ['the pulse rate where the heart rate is off', { heartRate: aged(61), pulseRate: aged(1) }, 'pulseRate'],
    [
      'the pulse rate where the heart rate has no signal',
      { heartRate: aged(1, { quality: 'invalid' }), pulseRate: aged(1) },
      'pulseRate',
    ],
    ['the heart rate where both are off', { heartRate: aged(600), pulseRate: aged(600) }, 'heartRate'],
    ['the pulse rate where it is the only one, also when off', { pulseRate: aged(600) }, 'pulseRate'],
  ] as const)('shows %s', (_name, latest, kind) => {
    expect(shownRate(latest, now)).toEqual({ kind, latest: (latest as Record<string, LatestValue>)[kind] });
  });

  it('names the heart rate if there is neither', () => {
    expect(shownRate({}, now)).toEqual({ kind: 'heartRate', latest: undefined });
  });
});
