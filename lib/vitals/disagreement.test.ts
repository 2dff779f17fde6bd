import { toInstant } from '../time/schema';
import { disagree, isDisputed, isWorse, otherDeviceNumber } from './disagreement';

describe('two devices of a patient', () => {
  it.each([
    ['spo2', 98, 95, false],
    ['spo2', 98, 94, true],
    ['spo2', 94, 98, true],
    ['heartRate', 80, 89, false],
    ['heartRate', 80, 90, true],
    ['pulseRate', 80, 70, true],
    ['respiratoryRate', 16, 20, false],
    ['respiratoryRate', 16, 21, true],
    ['temperature', 36, 41, false],
  ] as const)('disagree about %s from a distance on: %s and %s, %s', (kind, one, other, expected) => {
    expect(disagree(kind, one, other)).toBe(expected);
  });

  it.each([
    ['the lower SpO2', 'spo2', 74, 98, true],
    ['the higher SpO2', 'spo2', 98, 74, false],
    ['an SpO2 that is only a little lower', 'spo2', 95, 98, false],
    ['a rate further from normal', 'heartRate', 30, 110, true],
    ['a rate less far from normal', 'heartRate', 110, 30, false],
    ['another normal rate', 'pulseRate', 60, 80, false],
    ['a fast breathing', 'respiratoryRate', 28, 16, true],
  ] as const)('%s is the worse one only if it disagrees', (_, kind, value, than, expected) => {
    expect(isWorse(kind, value, than)).toBe(expected);
  });
});

it('disputes no value that is not there, or that no other device measures', () => {
  const other = { value: 74, asOf: '2026-01-05T10:00:00.000Z' };
  expect(isDisputed('spo2', undefined)).toBe(false);
  expect(isDisputed('spo2', { value: 98 })).toBe(false);
  expect(isDisputed('spo2', { value: 98, other })).toBe(true);
});

describe('the number of another device', () => {
  const now = Date.parse('2026-01-05T10:00:00Z');
  const beside = (value: number, other: number, ageMs = 0) =>
    otherDeviceNumber(
      'spo2',
      { value, expectedEveryMs: 1_000, other: { value: other, asOf: toInstant(now - ageMs) } },
      now,
    );

  it('is its value, if that disagrees', () => {
    expect(beside(98, 74)).toBe('74');
    expect(beside(98, 96)).toBeNull();
    expect(otherDeviceNumber('spo2', { value: 98, expectedEveryMs: 1_000 }, now)).toBeNull();
  });

  it('is none when its value is stale or from the future', () => {
    expect(beside(98, 74, 30_000)).toBe('74');
    expect(beside(98, 74, 30_001)).toBeNull();
    expect(beside(98, 74, -2_001)).toBeNull();
  });
});
