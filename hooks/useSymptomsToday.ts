import type { SymptomsTodayPage } from '../lib/symptoms/todaySchema';
import type { PatientsListQuery } from './usePatients';
import { poll } from './poll';
import type { ReadState } from './readState';
import { unlessUnchanged } from './unlessUnchanged';
import { useReadState } from './useReadState';

/** Reads what the patients of a dashboard reported today. `data` stays the same object until something changes. */
export function useSymptomsToday({
  unit,
  bed,
  mine,
}: Pick<PatientsListQuery, 'unit' | 'bed' | 'mine'>): ReadState<SymptomsTodayPage> {
  return useReadState(`getSymptomsToday ${JSON.stringify([unit, bed, mine])}`, async (last) => {
    const query = { unit, bed, ...(mine ? { mine: 'true' as const } : {}), after: last?.version };
    return unlessUnchanged(await poll('getSymptomsToday', { query }), last);
  });
}
