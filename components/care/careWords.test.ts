import { limitWords, readLimit } from './limitWords';
import { previewWords } from './previewWords';

describe('limits in words', () => {
  const both = { lowIs: 'atMost', bounds: { low: { min: 30, max: 50 }, high: { min: 120, max: 180 } } } as const;
  const low = { lowIs: 'below', bounds: { low: { min: 80, max: 92 }, high: null } } as const;

  it.each([
    [null, both, '–'],
    [{}, both, '–'],
    [{ low: 40, high: 150 }, both, '≤ 40, ≥ 150'],
    [{ high: 150 }, both, '≥ 150'],
    [{ low: null, high: 150 }, both, 'off, ≥ 150'],
    [{ low: 88 }, low, '< 88'],
    [{ low: 88, high: null }, low, '< 88'],
    [{ low: 0 }, low, '< 0'],
  ])('are, of %j by %j, "%s"', (values, row, words) => {
    expect(limitWords(values, row)).toBe(words);
  });

  it.each([
    ['', undefined],
    ['  ', undefined],
    ['off', null],
    [' OFF ', null],
    ['0', 0],
    ['88', 88],
    ['x', NaN],
  ])('are read from "%s" as %s', (text, value) => {
    expect(readLimit(text)).toBe(value);
  });
});

describe('the words of a preview of limits', () => {
  const none = { high: 0, medium: 0, low: 0 };
  const day = { parameter: 'spo2' as const, from: '2026-05-01T10:00:00.000Z', to: '2026-05-02T10:00:00.000Z' };
  const preview = {
    ...day,
    coveredMs: 24 * 3_600_000,
    now: { high: 4, medium: 27, low: 0 },
    proposed: { high: 2, medium: 10, low: 0 },
    missed: none,
    milder: none,
  };

  it('name what would be missed, the most urgent first', () => {
    const words = previewWords({ ...preview, missed: { high: 2, medium: 1, low: 0 }, milder: { ...none, high: 1 } });
    expect(words.dangers).toEqual([
      '2 HIGH alerts would not have been raised.',
      '1 MEDIUM alert would not have been raised.',
      '1 HIGH alert would have had a lower priority.',
    ]);
  });

  it('say when there are no readings, or readings of a part of the day only', () => {
    expect(previewWords({ ...preview, coveredMs: 0 }).coverage).toBe('There are no readings of these 24 h.');
    expect(previewWords({ ...preview, coveredMs: 22_800_000 }).coverage).toBe(
      'Readings cover only 6 h 20 min of these 24 h.',
    );
    expect(previewWords({ ...preview, coveredMs: 7_200_000 }).coverage).toBe('Readings cover only 2 h of these 24 h.');
    expect(previewWords({ ...preview, coveredMs: 24 * 3_600_000 - 60_000 }).coverage).toBeNull();
  });

  it('compare the alerts with those of the present limits', () => {
    expect(previewWords(preview)).toEqual({
      sentence: 'With these limits: 12 SpO2 alerts in the last 24 h (now 31).',
      counts: 'HIGH 2 (now 4), MEDIUM 10 (now 27)',
      dangers: [],
      coverage: null,
    });
    const one = { ...preview, parameter: 'rate' as const, now: none, proposed: { ...none, low: 1 } };
    expect(previewWords(one).sentence).toBe('With these limits: 1 heart rate alert in the last 24 h (now 0).');
    expect(previewWords({ ...one, proposed: none }).counts).toBeNull();
  });
});
