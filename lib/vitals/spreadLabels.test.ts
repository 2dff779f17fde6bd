import fc from 'fast-check';
import { spreadLabels } from './spreadLabels';

const room = { space: 15, top: 0, bottom: 120 };

describe('the places of labels', () => {
  it.each<[string, number[], number[]]>([
    ['stay if there is room', [100, 20, 60], [100, 20, 60]],
    ['are one below the other if they meet', [30, 30, 31], [30, 45, 60]],
    ['move up at the foot', [119, 118, 117], [120, 105, 90]],
    ['begin at the top if there are too many', Array<number>(10).fill(50), [0, 15, 30, 45, 60, 75, 90, 105, 120, 135]],
    ['are none for none', [], []],
  ])('%s', (_name, wanted, places) => {
    expect(spreadLabels(wanted, room)).toEqual(places);
  });

  it('never overlap, keep their order, and stay inside while they fit', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 9 }), (wanted) => {
        const places = spreadLabels(wanted, room);
        const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
        const sorted = order.map((index) => places[index] ?? 0);
        expect(sorted.every((y, index) => index === 0 || y - (sorted[index - 1] ?? 0) >= room.space)).toBe(true);
        expect(sorted.every((y) => y >= room.top && y <= room.bottom)).toBe(true);
      }),
    );
  });
});
