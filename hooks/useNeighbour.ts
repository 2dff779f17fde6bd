import { useCallback } from 'react';
import { maxPageSize } from '../lib/api/pageSize';
import { ApiFailure } from '../lib/browser/client';
import { poll } from './poll';
import type { PatientsListQuery } from './usePatients';

export type Direction = 'previous' | 'next';

/**
 * Returns a function that finds the patient before or after another one in a list, or says why there is none. A patient
 * who is not on the list any more is followed by its first.
 */
export function useNeighbour(): (
  listing: Omit<PatientsListQuery, 'text' | 'page' | 'pageSize'>,
  patientId: number,
  direction: Direction,
) => Promise<number | { reason: string }> {
  return useCallback(async ({ mine, attention, ...listing }, patientId, direction) => {
    try {
      const ids: number[] = [];
      let total = 1;
      for (let page = 1; ids.length < total; page += 1) {
        const { data } = await poll('listPatients', {
          query: {
            ...listing,
            ...(mine ? { mine: 'true' } : {}),
            ...(attention ? { attention: 'true' } : {}),
            page,
            pageSize: maxPageSize,
          },
        });
        if ('unchanged' in data || data.items.length === 0) {
          break;
        }
        ids.push(...data.items.map(({ id }) => id));
        total = data.total;
      }
      return neighbourIn(ids, patientId, direction);
    } catch (problem) {
      return { reason: problem instanceof ApiFailure ? problem.message : 'The list could not be read.' };
    }
  }, []);
}

function neighbourIn(ids: readonly number[], patientId: number, direction: Direction): number | { reason: string } {
  const at = ids.indexOf(patientId);
  const found = at === -1 ? ids[0] : ids[at + (direction === 'next' ? 1 : -1)];
  return found ?? { reason: direction === 'next' && at !== -1 ? 'Last of your list' : 'First of your list' };
}
