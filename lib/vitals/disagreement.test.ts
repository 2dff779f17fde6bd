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
    ['the same SpO2', 'spo2', 98, 98, false],
    ['a rate of 3 points beside one of 1', 'heartRate', 40, 110, true],
    ['a rate of 3 points beside one of 2', 'heartRate', 39, 112, true],
    ['a slow rate beside a fast one of as many points', 'heartRate', 35, 150, true],
    ['a fast rate beside a slow one of as many points', 'heartRate', 150, 35, false],
    ['a fast rate beside a slow one of fewer points', 'pulseRate', 112, 45, true],
    ['the faster of two fast rates', 'pulseRate', 150, 131, true],
    ['the slower of two slow rates', 'pulseRate', 20, 39, true],
    ['another normal rate', 'pulseRate', 60, 80, false],
    ['a fast breathing', 'respiratoryRate', 28, 16, true],
    ['a slow breathing beside a fast one of fewer points', 'respiratoryRate', 8, 24, true],
    ['a temperature', 'temperature', 41, 36, false],
  ] as const)('%s is the worse one or not: %s %s beside %s, %s', (_, kind, value, than, expected) => {
    expect(isWorse(kind, value, than)).toBe(expected);
  });
});

it('disputes no value that is not there, or that no other device measures', () => {
  const other = { value: 74, asOf: '2026-01-05T10:00:00.000Z', expectedEveryMs: 1_000 };
  expect(isDisputed('spo2', undefined)).toBe(false);
  expect(isDisputed('spo2', { value: 98 })).toBe(false);
  expect(isDisputed('spo2', { value: 98, other })).toBe(true);
});

describe('the number of another device', () => {
  const now = Date.parse('2026-01-05T10:00:00Z');
  const beside = (value: number, other: number, ageMs = 0, more: object = {}) =>
    otherDeviceNumber(
      'spo2',
      { value, other: { value: other, asOf: toInstant(now - ageMs), expectedEveryMs: 1_000, ...more } },
      now,
    );

  it('is its value, if that disagrees', () => {
    expect(beside(98, 74)).toBe('74');
    expect(beside(98, 96)).toBeNull();
    expect(otherDeviceNumber('spo2', { value: 98 }, now)).toBeNull();
  });

  it('is none when its value is stale or from the future', () => {
    expect(beside(98, 74, 30_000)).toBe('74');
    expect(beside(98, 74, 30_001)).toBeNull();
    expect(beside(98, 74, -2_001)).toBeNull();
    expect(beside(98, 74, 30_001, { expectedEveryMs: 60_000 })).toBe('74');
  });

  it('has a question mark if it is uncertain', () => {
    expect(beside(98, 74, 0, { isUncertain: true })).toBe('74?');
  });
});
