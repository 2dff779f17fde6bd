import { holdBeds } from './holdBeds';
import { mostBeds, type WallTile } from './schema';

const tileOf = (bed: string | null, initials = 'AB', unit: string | null = 'West'): WallTile => ({
  unit,
  bed,
  initials,
  isTrial: false,
  profile: 'continuous',
  isShared: false,
  latest: {},
  alerts: [],
  standby: null,
  comfortCare: null,
});
const bedsOf = (places: ReturnType<typeof holdBeds>): (string | null)[] => places.map(({ bed }) => bed);

describe('the places of a wall', () => {
  it('keep the bed of a patient who left, empty, so that no other tile moves', () => {
    const before = holdBeds([], [tileOf('1'), tileOf('2'), tileOf('10')]);
    const after = holdBeds(before, [tileOf('1'), tileOf('10')]);
    expect(bedsOf(after)).toEqual(['1', '2', '10']);
    expect(after.map(({ tile }) => tile === null)).toEqual([false, true, false]);
    expect(holdBeds(after, [tileOf('1'), tileOf('2', 'CD'), tileOf('10')])[1]?.tile?.initials).toBe('CD');
  });

  it('are one for each of two patients in a bed, and one when one of them leaves', () => {
    const before = holdBeds([], [tileOf('1', 'AB'), tileOf('1', 'CD'), tileOf('2')]);
    expect(before.map(({ tile }) => tile?.initials)).toEqual(['AB', 'CD', 'AB']);
    expect(new Set(before.map(({ key }) => key)).size).toBe(3);
    expect(bedsOf(holdBeds(before, [tileOf('1', 'CD'), tileOf('2')]))).toEqual(['1', '2']);
  });

  it('are those of patients before those of empty beds if there is no room for all', () => {
    const all = Array.from({ length: mostBeds }, (_, bed) => tileOf(String(bed + 1)));
    const after = holdBeds(holdBeds([], all), [...all.slice(1), tileOf('99')]);
    expect(after).toHaveLength(mostBeds);
    expect(after.every(({ tile }) => tile !== null)).toBe(true);
  });

  it('have patients without a bed last', () => {
    expect(bedsOf(holdBeds([], [tileOf(null, 'AB', null), tileOf('1')]))).toEqual(['1', null]);
  });
});
