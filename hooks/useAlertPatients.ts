import { maxPageSize } from '../lib/api/pageSize';
import type { PatientsPage } from '../lib/patients/schema';
import type { ReadState } from './readState';
import { poll } from './poll';
import { unlessUnchanged } from './unlessUnchanged';
import { useReadState } from './useReadState';

const noPatients: PatientsPage = { items: [], total: 0, version: '', units: [], beds: [] };

/**
 * Reads the patients of these ids, whichever page of patients is on the screen: an alert shows the values of its own
 * patient. Reads nothing if there are none.
 */
export function useAlertPatients(ids: readonly number[]): ReadState<PatientsPage> {
  const wanted = ids.slice(0, maxPageSize);
  return useReadState(
    `listPatients of ${wanted.join()}`,
    async (held) => {
      if (wanted.length === 0) {
        return { data: held ?? noPatients, serverTime: null };
      }
      const query = { ids: wanted.join(), after: held?.version };
      return unlessUnchanged(await poll('listPatients', { query }), held);
    },
    { keepPreviousData: true },
  );
}
