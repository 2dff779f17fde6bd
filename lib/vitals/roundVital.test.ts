import fc from 'fast-check';
import { consciousnessLevels, kinds, type VitalKind, vitalKinds } from './kinds';
import { formatVital, roundVital } from './roundVital';

const numericKinds = vitalKinds.filter((kind) => kind !== 'consciousness');
const kindAndValue = fc.constantFrom(...numericKinds).chain((kind) => {
  const { min, max } = kinds[kind].plausible;
  return fc.tuple(fc.constant<VitalKind>(kind), fc.double({ min, max, noNaN: true }));
});

describe('roundVital', () => {
  it.each<[VitalKind, number, number]>([
    ['spo2', 0, 0],
    ['spo2', 87.49, 87],
    ['spo2', 87.5, 88],
    ['spo2', 88.5, 89],
    ['spo2', 100, 100],
    ['heartRate', 0.4, 0],
    ['heartRate', 39.5, 40],
    ['temperature', 38.04, 38],
    ['temperature', 38.05, 38.1],
    ['temperature', 38.15, 38.2],
    ['temperature', 35.95, 36],
    ['perfusionIndex', 0.25, 0.3],
    ['weight', 80.05, 80.1],
  ])('rounds %s %d half up to %d', (kind, value, rounded) => {
    expect(roundVital(kind, value)).toBe(rounded);
  });

  it('moves no value by more than half a step, and a rounded value not at all', () => {
    fc.assert(
      fc.property(kindAndValue, ([kind, value]) => {
        const rounded = roundVital(kind, value);
        expect(Math.abs(rounded - value)).toBeLessThanOrEqual(0.5 / 10 ** kinds[kind].precision + 1e-8);
        expect(roundVital(kind, rounded)).toBe(rounded);
      }),
    );
  });

  it('keeps the order of values', () => {
    fc.assert(
      fc.property(kindAndValue, fc.double({ min: 0, max: 50, noNaN: true }), ([kind, value], more) => {
        expect(roundVital(kind, value + more)).toBeGreaterThanOrEqual(roundVital(kind, value));
      }),
    );
  });
});

describe('formatVital', () => {
  it.each<[VitalKind, number, string]>([
    ['heartRate', 0, '0'],
    ['spo2', 97.6, '98'],
    ['temperature', 37, '37.0'],
    ['oxygenFlow', 0.05, '0.1'],
  ])('writes %s %d as %s', (kind, value, text) => {
    expect(formatVital(kind, value)).toBe(text);
  });

  it.each(consciousnessLevels.map((letter, value) => [value, letter] as const))(
    'writes level %d of consciousness as %s',
    (value, letter) => {
      expect(formatVital('consciousness', value)).toBe(letter);
    },
  );

  it('writes an unknown level of consciousness as no value', () => {
    expect(formatVital('consciousness', 5)).toBe('--');
    expect(formatVital('consciousness', -1)).toBe('--');
  });

  it('writes what was rounded, so that the shown value is the evaluated value', () => {
    fc.assert(
      fc.property(kindAndValue, ([kind, value]) => {
        expect(Number(formatVital(kind, value))).toBe(roundVital(kind, value));
      }),
    );
  });
});
