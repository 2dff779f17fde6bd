import { previewWords } from './previewWords';

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

describe('the words of a preview of limits', () => {
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
