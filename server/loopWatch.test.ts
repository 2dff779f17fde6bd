import { createLoopWatch } from './loopWatch';

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
