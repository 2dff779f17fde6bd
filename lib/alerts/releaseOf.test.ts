import { releaseOf, type Holder } from './releaseOf';

const minute = 60_000;
const start = 1_000 * minute;
const accepted = { is: 'accepted', by: 7, at: start - minute, unitId: 1 } as const;
const away = { start, isAssigned: false, isAnyoneElseAssigned: true };
const holder: Holder = { isActive: true, canSee: true, coversUnit: true, unitId: 1, shift: null };
const at = (more: Partial<Holder>, now = start + 30 * minute, of = accepted) =>
  releaseOf(of, { ...holder, ...more }, now);

describe('an acceptance', () => {
  it.each([
    ['lasts while its holder is here', {}, null],
    ['ends when its holder is disabled', { isActive: false, canSee: false }, 'disabled'],
    ['ends when its holder can no longer see the patient', { canSee: false }, 'out_of_reach'],
    ['ends when the patient moves to a unit that its holder does not cover', { unitId: 2, coversUnit: false }, 'moved'],
    ['lasts when the patient moves to a unit that its holder covers', { unitId: 2 }, null],
    ['lasts in a unit that its holder never covered', { coversUnit: false }, null],
    ['lasts when the patient leaves all units', { unitId: null, coversUnit: false }, null],
    ['ends in a shift that has others', { shift: away }, 'previous_shift'],
    ['lasts in a shift that has its holder', { shift: { ...away, isAssigned: true } }, null],
    ['lasts in a shift that has no one', { shift: { ...away, isAnyoneElseAssigned: false } }, null],
  ])('%s', (_, more, expected) => {
    expect(at(more)).toBe(expected);
  });

  it('lasts for the first half hour of a shift, and if it was given in it', () => {
    expect(at({ shift: away }, start + 30 * minute - 1)).toBeNull();
    expect(releaseOf({ ...accepted, at: start }, { ...holder, shift: away }, start + 60 * minute)).toBeNull();
  });
});
