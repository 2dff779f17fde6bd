import { waitWords } from './waitWords';

describe('how long an alert waited', () => {
  it.each([
    [null, '--'],
    [0, '0 s'],
    [45_001, '46 s'],
    [60_000, '1 min'],
    [190_000, '3 min 10 s'],
    [3_600_000, '1 h'],
    [3_900_000, '1 h 5 min'],
  ])('%p is "%s"', (ms, words) => {
    expect(waitWords(ms)).toBe(words);
  });
});
