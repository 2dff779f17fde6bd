import fc from 'fast-check';
import { holders, placeOf, type Assignment } from './holders';

const row = (shiftStart: number, userId: number | null, more: Partial<Assignment> = {}): Assignment => ({
  role: 'nurse',
  patientId: 1,
  shiftStart,
  userId,
  ...more,
});

describe('holders', () => {
  it('are none without an assignment, or with one for a later shift only', () => {
    expect(holders([], 100)).toEqual([]);
    expect(holders([row(101, 7)], 100)).toEqual([]);
  });

  it('are carried over until a later shift changes them', () => {
    const rows = [row(100, 7), row(300, 8)];
    expect([100, 200, 299, 300, 400].map((start) => holders(rows, start)[0]?.userId)).toEqual([7, 7, 7, 8, 8]);
  });

  it('are no one if the last assignment says so', () => {
    expect(holders([row(100, 7), row(200, null)], 300)).toEqual([row(200, null)]);
  });

  it('are separate for each role and patient', () => {
    const rows = [
      row(100, 7),
      row(100, 8, { role: 'buddy' }),
      row(100, 9, { patientId: 2 }),
      row(100, 7, { role: 'charge_nurse', patientId: null }),
    ];
    expect(holders(rows, 100)).toHaveLength(4);
  });

  it('are at most one for each place, the newest up to the shift, in whatever order the rows come', () => {
    const anyRow = fc.record({
      role: fc.constantFrom('nurse', 'buddy', 'charge_nurse'),
      patientId: fc.constantFrom(1, 2, null),
      shiftStart: fc.integer({ min: 0, max: 50 }),
      userId: fc.constantFrom(7, 8, null),
    });
    const anyRows = fc.uniqueArray(anyRow, { selector: (one) => `${placeOf(one)} ${one.shiftStart}` });
    fc.assert(
      fc.property(anyRows, fc.integer({ min: 0, max: 50 }), (rows, start) => {
        const found = holders(rows, start);
        expect(new Set(found.map(placeOf)).size).toBe(found.length);
        for (const one of rows.filter(({ shiftStart }) => shiftStart <= start)) {
          expect(found.find((held) => placeOf(held) === placeOf(one))?.shiftStart).toBeGreaterThanOrEqual(
            one.shiftStart,
          );
        }
        expect(new Set(holders(rows.toReversed(), start))).toEqual(new Set(found));
      }),
    );
  });
});
