import fc from 'fast-check';
import { createWindow, takeEntries, takeEntry, type Order, type Window } from './window';

interface Reading {
  at: number;
  value: number;
}

/** Folds readings into a text of them, and counts how many were folded. */
function counted(): Order<Reading, string> & { steps: number } {
  const order = {
    steps: 0,
    step: (fold: string, { at, value }: Reading) => {
      order.steps += 1;
      return `${fold} ${at}:${value}`;
    },
    compare: (a: Reading, b: Reading) => a.at - b.at,
    isRepeat: (a: Reading, b: Reading) => a.value === b.value,
    retrospectiveAfterMs: 60_000,
    slotMs: 15_000,
  };
  return order;
}

const now = 1_000_000;
const oneByOne = (window: Window<Reading, string>, readings: readonly Reading[]): Window<Reading, string> => {
  const order = counted();
  return readings.reduce((before, reading) => takeEntry(before, reading, now, order), window);
};

describe('values that arrive together', () => {
  const readings = fc.array(
    fc.record({ at: fc.integer({ min: now - 70_000, max: now }), value: fc.integer({ min: 0, max: 2 }) }),
    { maxLength: 40 },
  );

  it('have the result of taking one after the other: late, twice and corrected ones too', () => {
    fc.assert(
      fc.property(readings, readings, (earlier, together) => {
        const window = oneByOne(createWindow<Reading, string>(''), earlier);
        expect(takeEntries(window, together, now, counted()).head).toBe(oneByOne(window, together).head);
      }),
    );
  });

  it('change nothing when all of them are repeats or too late', () => {
    const window = oneByOne(createWindow<Reading, string>(''), [
      { at: now - 2_000, value: 1 },
      { at: now - 1_000, value: 2 },
    ]);
    const together = [
      { at: now - 90_000, value: 5 },
      { at: now - 2_000, value: 1 },
    ];
    expect(takeEntries(window, together, now, counted())).toBe(window);
  });

  it('have the later values evaluated again once, not once for each of them', () => {
    const window = oneByOne(
      createWindow<Reading, string>(''),
      Array.from({ length: 600 }, (_, index) => ({ at: now - 60_000 + index * 100, value: 1 })),
    );
    const order = counted();
    const buffer = Array.from({ length: 500 }, (_, index) => ({ at: now - 5 - index * 100, value: 2 }));
    takeEntries(window, buffer, now, order);
    expect(order.steps).toBeLessThanOrEqual(1_100);
  });
});
