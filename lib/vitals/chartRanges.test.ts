import { chartRanges, defaultRange } from './chartRanges';

describe('chartRanges', () => {
  it('offers 1, 4, 12, 24 h, 7 and 14 d', () => {
    expect(chartRanges.map(({ ms }) => ms / 3_600_000)).toEqual([1, 4, 12, 24, 168, 336]);
  });
});

describe('defaultRange', () => {
  it.each([
    ['no patient', [], '1h'],
    ['a monitored patient', ['continuous'], '1h'],
    ['a patient at home', ['home'], '14d'],
    ['one of each, because the monitored one changes by the second', ['home', 'continuous'], '1h'],
    ['several at home', ['home', 'home'], '14d'],
  ] as const)('for %s', (_name, profiles, key) => {
    expect(defaultRange(profiles.map((profile) => ({ profile }))).key).toBe(key);
  });
});
