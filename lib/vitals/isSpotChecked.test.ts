import { isSpotChecked } from './isSpotChecked';

describe('isSpotChecked', () => {
  it.each([
    ['home', undefined, true],
    ['home', 1_000, true],
    ['continuous', undefined, false],
    ['continuous', 60_000, false],
    ['continuous', 599_999, false],
    ['continuous', 600_000, true],
  ] as const)('for %s every %s ms: %s', (profile, everyMs, spot) => {
    expect(isSpotChecked(profile, everyMs)).toBe(spot);
  });
});
