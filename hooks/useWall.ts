import type { Wall } from '../lib/wall/schema';
import { poll } from './poll';
import type { ReadState } from './readState';
import { unlessUnchanged } from './unlessUnchanged';
import { isReadOf } from './useRead';
import { useReadState } from './useReadState';

/** Returns whether an SWR key is that of a wall. */
export function isWallKey(key: string): boolean {
  return isReadOf('readWall', key);
}

/** Polls the wall of a unit; null: of the user's own one, or of all that they reach. */
export function useWall(unitId: number | null, fallback: Wall): ReadState<Wall> {
  return useReadState<Wall>(
    `readWall ${unitId ?? ''}`,
    async (held) => {
      const unit = unitId === null ? undefined : String(unitId);
      return unlessUnchanged(await poll('readWall', { query: { unit, after: held?.version } }), held);
    },
    { fallback },
  );
}
