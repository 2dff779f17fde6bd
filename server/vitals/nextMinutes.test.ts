import { nextMinutes } from './nextMinutes';

describe('the minutes that a step redoes next', () => {
  it.each([
    ['one at first', { done: 0, last: 0, tookMs: 0 }, 1],
    ['twice as many while half of its time is left', { done: 7, last: 4, tookMs: 9.9 }, 8],
    ['none after half of its time', { done: 7, last: 4, tookMs: 10 }, 0],
    ['none after one that took longer than a step', { done: 1, last: 1, tookMs: 400 }, 0],
    ['those up to 50', { done: 31, last: 16, tookMs: 5 }, 19],
    ['none after 50', { done: 50, last: 19, tookMs: 5 }, 0],
  ])('are %s', (_, so, expected) => {
    expect(nextMinutes('sqlite', so)).toBe(expected);
  });

  it('take longer on PostgreSQL, which does not hold the thread', () => {
    expect(nextMinutes('postgres', { done: 7, last: 4, tookMs: 10 })).toBe(8);
  });
});
