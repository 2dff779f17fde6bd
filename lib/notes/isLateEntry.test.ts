import { isLateEntry } from './isLateEntry';

const minute = 60_000;

describe('a late entry', () => {
  it.each([
    [0, false],
    [15 * minute, false],
    [15 * minute + 1, true],
    // The clock of the one who wrote may be a little slow.
    [-minute, false],
  ])('%d ms after the event: %s', (ms, expected) => {
    expect(isLateEntry(1_000_000, 1_000_000 + ms)).toBe(expected);
  });
});
