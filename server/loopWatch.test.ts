import { createLoopWatch, createStallLog } from './loopWatch';

describe('the watch over the thread', () => {
  it.each([
    ['in time', 50, null],
    ['200 ms late', 250, null],
    ['more than that late', 251, 201],
    ['late by seconds', 12_650, 12_600],
  ])('that looks %s says how long it was busy: %#', (_, ms, expected) => {
    let now = 1_000;
    const look = createLoopWatch(() => now);
    now += ms;
    expect(look()).toBe(expected);
    // It was one stall.
    now += 60;
    expect(look()).toBeNull();
  });
});

describe('the log of stalls', () => {
  it('has the first at once, and then all others in a line a minute', () => {
    let now = 0;
    const toLog = createStallLog(() => now);
    const said: unknown[] = [];
    for (; now <= 180_000; now += 50) {
      // Stalls for a while, then none.
      said.push(toLog(now <= 100_000 && now % 1_000 === 0 ? 201 + now / 1_000 : null));
    }
    expect(said.filter((line) => line !== null)).toEqual([
      { stalls: 1, longestMs: 201 },
      { stalls: 60, longestMs: 261 },
      { stalls: 40, longestMs: 301 },
    ]);
  });
});
