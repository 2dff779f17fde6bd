import type { UnitsAnswer } from '../lib/units/schema';
import type { Answer } from './answer';
import { poll } from './poll';
import { useAnswer } from './useAnswer';

/** The units of the user's site. */
export function useUnits(): Answer<UnitsAnswer> {
  return useAnswer('units', async () => {
    const { data, serverTime } = await poll('listUnits', {});
    return { value: data, asOf: serverTime };
  });
}
