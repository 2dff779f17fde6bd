import { clockWords, rateWords, tookWords } from './senderWords';

it.each([
  [0, 5, '0 a minute'],
  [0.2, 5, '0.2 a minute'],
  [1, 5, '1 a minute'],
  [9.8, 5, '9.8 a minute'],
  [1_234.4, 5, '1234 a minute'],
  [1, 1, '1 in 1 min'],
  [42 / 4, 4, '42 in 4 min'],
])('says of %p messages a minute in %i minutes "%s"', (perMinute, minutes, words) => {
  expect(rateWords({ perMinute, minutes })).toBe(words);
});

it('says no rate while none is known', () => {
  expect(rateWords(null)).toBe('Rate not known yet');
});

it.each([
  [1, '1 ms'],
  [990, '990 ms'],
  [1_300, '1.3 s'],
  [12_000, '12 s'],
])('says of %i ms "%s"', (ms, words) => {
  expect(tookWords(ms)).toBe(words);
});

describe('the clocks of monitors', () => {
  it('are not called right while nothing is known of them', () => {
    expect(clockWords(null)).toBe('Not known yet');
  });

  it.each([
    [0, 0, 'Right'],
    [-200, 300, 'Right'],
    [2_000, 2_400, '2 s behind'],
    [-180_000, -180_000, '3 min ahead'],
    [-180_000, 2_000, '2 s behind to 3 min ahead'],
    [2_000, 180_000, '2 s to 3 min behind'],
    [-180_000, -2_000, '2 s to 3 min ahead'],
    [-180_000, 100, '0 s to 3 min ahead'],
    [-100, 180_000, '0 s to 3 min behind'],
    [-180_000, -100, '0 s to 3 min ahead'],
    [-2_000, 2_000, '2 s behind to 2 s ahead'],
    [100, 180_000, '0 s to 3 min behind'],
  ])('that are %i to %i ms behind are "%s"', (least, most, words) => {
    expect(clockWords({ least, most })).toBe(words);
  });
});
