import { useMemo } from 'react';
import type { UnitsResponse } from '../lib/units/schema';
import type { Answer } from './answer';
import { poll } from './poll';
import { replaceById } from './replaceById';
import { useAnswer } from './useAnswer';
import { useCallOn } from './useCallOn';

const unitsKey = 'units';

/** The units of the user's site. */
export function useUnits(): Answer<UnitsResponse> {
  return useAnswer(unitsKey, async () => {
    const { data, serverTime } = await poll('listUnits', {});
    return { value: data, asOf: serverTime };
  });
}

/** What an administrator does with units. Each throws `ApiFailure`. */
export interface UnitActs {
  create: (name: string) => Promise<void>;
  rename: (id: number, name: string) => Promise<void>;
  /** Only a unit in which nobody is and to which nobody belongs. */
  remove: (id: number) => Promise<void>;
}

/** The acts of the list of units. After each, done or refused, the list is shown as it is then. */
export function useUnitActs(): UnitActs {
  const act = useCallOn<UnitsResponse>(unitsKey);
  return useMemo(
    () => ({
      create: async (name) => void (await act('createUnit', { body: { name } })),
      rename: async (id, name) => void (await act('renameUnit', { params: { id }, body: { name } }, replaceById)),
      remove: async (id) => void (await act('deleteUnit', { params: { id } })),
    }),
    [act],
  );
}
