import fc from 'fast-check';
import { changedByBoth, rebaseTyped } from './rebaseTyped';

const values = fc.record({ name: fc.string(), age: fc.integer(), place: fc.record({ unit: fc.string() }) });

describe('a form on a newer state', () => {
  it('keeps every part that was typed, and takes all others as they are now', () => {
    const before = { name: 'A', sex: 'male', place: { unit: 'East', bed: '' } };
    const present = { name: 'B', sex: 'female', place: { unit: 'West', bed: '' } };
    const typed = { ...before, sex: 'other', place: { unit: 'East', bed: '4' } };
    expect(rebaseTyped(typed, before, present)).toEqual({ name: 'B', sex: 'other', place: { unit: 'East', bed: '4' } });
    expect(changedByBoth(typed, before, present)).toEqual([{ name: 'sex', present: 'female' }]);
  });

  it('is the present state if nothing was typed, and what was typed if nothing else changed', () => {
    fc.assert(
      fc.property(values, values, (one, other) => {
        expect(rebaseTyped(one, one, other)).toEqual(other);
        expect(rebaseTyped(other, one, one)).toEqual(other);
        expect(changedByBoth(one, one, other)).toEqual([]);
        expect(changedByBoth(other, one, one)).toEqual([]);
      }),
    );
  });
});
