import { compareText, firstDifference } from '../sortOrder';
import { mostBeds, type WallTile } from './schema';

/** A place of the wall: a patient's tile, or a bed whose patient has left while the wall was shown. */
export interface WallPlace {
  key: string;
  unit: string | null;
  bed: string | null;
  tile: WallTile | null;
}

/**
 * Returns the places of a wall, by unit and bed. A bed that was shown keeps its place when its patient leaves, so that
 * no other tile moves (screens.md section 9); only if there is no room for it does it go. Two patients in one bed have
 * a place each.
 */
export function holdBeds(before: readonly WallPlace[], tiles: readonly WallTile[]): WallPlace[] {
  const count = new Map<string, number>();
  const taken = tiles.map((tile): WallPlace => {
    const of = JSON.stringify([tile.unit, tile.bed]);
    const nth = count.get(of) ?? 0;
    count.set(of, nth + 1);
    return { key: `${of} ${nth}`, unit: tile.unit, bed: tile.bed, tile };
  });
  const keys = new Set(taken.map(({ key }) => key));
  const left = before.filter(({ key, bed }) => bed !== null && key.endsWith(' 0') && !keys.has(key));
  return [
    ...taken,
    ...left.slice(0, Math.max(0, mostBeds - taken.length)).map((place) => ({ ...place, tile: null })),
  ].sort(byPlace);
}

/** Patients without a bed come last, in the order in which they came. */
function byPlace(a: WallPlace, b: WallPlace): number {
  if (a.unit === null || a.bed === null || b.unit === null || b.bed === null) {
    return Number(a.bed === null) - Number(b.bed === null);
  }
  return firstDifference(compareText(a.unit, b.unit), compareText(a.bed, b.bed));
}
