import { reachesUnit } from './reachesUnit';

const units = [{ id: 3, name: 'Intensive Care' }];

describe('a unit', () => {
  it('that is not the user’s own is out of reach, whatever emergency access shows', () => {
    expect(reachesUnit({ type: 'nurse', isAdmin: false, units }, 'West')).toBe(false);
  });

  it.each([
    ['in any letter case', { type: 'nurse' as const, units }, ' intensive care'],
    ['of a patient without one', { type: 'nurse' as const, units }, null],
    ['of a user without units', { type: 'nurse' as const, units: [] }, 'West'],
    ['of a physician', { type: 'physician' as const, units }, 'West'],
  ])('is within reach %s', (_, user, unit) => {
    expect(reachesUnit({ isAdmin: false, ...user }, unit)).toBe(true);
  });
});
