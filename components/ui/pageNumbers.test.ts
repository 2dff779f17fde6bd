import { pageNumbers } from './pageNumbers';

describe('the pages that are offered', () => {
  it.each([
    [1, 1, [1]],
    [1, 5, [1, 2, 3, 4, 5]],
    [1, 7, [1, 2, 3, 4, 5, 6, 7]],
    [1, 8, [1, 2, 3, 4, 5, 'next 5', 8]],
    [3, 20, [1, 2, 3, 4, 5, 'next 5', 20]],
    [5, 20, [1, 2, 3, 4, 5, 6, 7, 'next 5', 20]],
    [6, 20, [1, 'previous 5', 4, 5, 6, 7, 8, 'next 5', 20]],
    [15, 20, [1, 'previous 5', 13, 14, 15, 16, 17, 'next 5', 20]],
    [16, 20, [1, 'previous 5', 14, 15, 16, 17, 18, 19, 20]],
    [20, 20, [1, 'previous 5', 16, 17, 18, 19, 20]],
  ])('on page %i of %i are %j', (current, last, expected) => {
    expect(pageNumbers(current, last)).toEqual(expected);
  });

  it('name every page once, in their order, and leave none out without a jump', () => {
    for (let last = 1; last <= 30; last += 1) {
      for (let current = 1; current <= last; current += 1) {
        const places = pageNumbers(current, last);
        const numbers = places.filter((place) => typeof place === 'number');
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
        expect([numbers[0], numbers.at(-1), numbers.includes(current)]).toEqual([1, last, true]);
        const silentGaps = places.filter((place, index) => {
          const next = places[index + 1];
          return typeof place === 'number' && typeof next === 'number' && next !== place + 1;
        });
        expect(silentGaps).toEqual([]);
      }
    }
  });
});
