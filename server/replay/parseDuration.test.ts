import { parseDuration } from './parseDuration';

describe('parseDuration', () => {
  it.each(['', '5', 'm', '-5m', '1.5h', '5 m', '1w', '12345678s'])('refuses "%s"', (text) => {
    expect(parseDuration(text)).toBeNull();
  });

  it.each([
    ['0s', 0],
    ['90s', 90_000],
    ['8m', 480_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
  ])('reads "%s" as %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });
});
