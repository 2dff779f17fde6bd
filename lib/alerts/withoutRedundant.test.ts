import fc from 'fast-check';
import { inOrderOfMeasuring } from './inOrderOfMeasuring';
import type { Entry } from './plan';
import { createWindow, takeEntry, type Order, type Window } from './window';
import { withoutRedundant } from './withoutRedundant';

const second = 1_000;
const start = Date.UTC(2026, 4, 1, 10);
const order: Order<Entry, number> = {
  retrospectiveAfterMs: 60 * second,
  slotMs: 15 * second,
  step: (count) => count + 1,
  compare: inOrderOfMeasuring,
  isRepeat: (a, b) => a.value === b.value,
};
const entryAt = (ms: number, value: number, more: Partial<Entry> = {}): Entry => ({
  at: start + ms,
  measuredAt: start + ms,
  source: 0,
  deviceId: 1,
  isAssigned: true,
  isValid: true,
  value,
  isDoubtful: false,
  hasStoppedStating: false,
  ...more,
});
/** What is judged of entries that arrive one after another. */
const judged = (entries: readonly Entry[]): Entry[] => {
  let window: Window<Entry, number> = createWindow(0);
  return entries.flatMap((entry) => {
    const needed = withoutRedundant(window, [entry]);
    needed.forEach((each) => {
      window = takeEntry(window, each, start + 30 * second, order);
    });
    return needed;
  });
};
const ten = Array.from({ length: 10 }, (_, index) => entryAt(index, 96));

describe('of a device that sends many values in a second the rules judge', () => {
  it.each([
    ['the first ten', entryAt(50, 96), false],
    ['a lower one', entryAt(50, 70), true],
    ['a higher one', entryAt(50, 99), true],
    ['one that is 100 ms later', entryAt(109, 96), true],
    ['none that is less than 100 ms later', entryAt(108, 96), false],
    ['a correction of one that was judged', entryAt(5, 96), true],
    ['a doubtful value beside good ones', entryAt(50, 96, { isDoubtful: true }), true],
    ['a value of the next second', entryAt(second, 96), true],
    ['a value of another device', entryAt(50, 96, { deviceId: 2 }), true],
    ['a value of another kind', entryAt(50, 96, { source: 1 }), true],
    ['what a person typed in', entryAt(50, 96, { deviceId: -4 }), true],
    ['no signal that is lost and back within 100 ms', entryAt(50, 0, { isValid: false }), false],
  ])('%s', (_, entry, isJudged) => {
    expect(judged([...ten, entry])).toHaveLength(isJudged ? 11 : 10);
    expect(withoutRedundant(createWindow(0), [...ten, entry])).toHaveLength(isJudged ? 11 : 10);
  });

  it('every value of one that sends up to ten a second', () => {
    const entries = Array.from({ length: 300 }, (_, index) => entryAt(index * 100, 90 + (index % 7)));
    expect(judged(entries)).toEqual(entries);
  });

  it('the lowest and the highest of each second, and few others, in whatever order they arrive', () => {
    const values = fc.array(fc.integer({ min: 50, max: 100 }), { minLength: 240, maxLength: 240 });
    const all = values.map((list) => list.map((value, index) => entryAt(index * 4, value)));
    fc.assert(
      fc.property(
        all.chain((entries) => fc.shuffledSubarray(entries, { minLength: 240 })),
        (entries) => {
          const found = judged(entries).map(({ value }) => value);
          const sent = entries.map(({ value }) => value);
          expect([Math.min(...found), Math.max(...found)]).toEqual([Math.min(...sent), Math.max(...sent)]);
          expect(found.length).toBeLessThanOrEqual(70);
        },
      ),
      { numRuns: 50 },
    );
  });
});
