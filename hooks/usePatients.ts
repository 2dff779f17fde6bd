import { useState } from 'react';
import type { PatientsPage, PatientsSearch } from '../lib/patients/schema';
import type { HeldRows } from './heldRows';
import type { ReadState } from './readState';
import { poll } from './poll';
import { unlessUnchanged } from './unlessUnchanged';
import { useReadState, type Fresh } from './useReadState';
import { isReadOf } from './useRead';

export type PatientsListQuery = Omit<PatientsSearch, 'after'>;

/** Returns whether an SWR key is that of a list of patients. */
export function isPatientsKey(key: unknown): key is string {
  return typeof key === 'string' && isReadOf('listPatients', key);
}

/** Returns the SWR key of a query. */
export function patientsKey(query: PatientsListQuery): string {
  const { state, unit, bed, mine, attention, sort, page, pageSize, text } = query;
  return `listPatients ${JSON.stringify([state, unit, bed, mine, attention, sort, page, pageSize, text])}`;
}

/**
 * Reads one page of the site's patients. `fallback` is the page that came with the first query. `data` stays the same
 * object until something changes. While `held` has rows of this query, only those are read, and they keep their
 * places (screens.md section 2).
 */
export function usePatients(
  query: PatientsListQuery,
  fallback?: PatientsPage,
  held?: HeldRows,
): ReadState<PatientsPage> {
  const key = patientsKey(query);
  const [firstKey] = useState(key);
  const heldIds = (): readonly number[] | null => held?.idsOf(key) ?? null;
  return useReadState(
    key,
    async (last) => {
      const asked = heldIds();
      const fresh = asked === null ? await readPatients(query, last) : await readRows(query, asked, last);
      // They may have been held, or let go, while the response was on its way.
      const ids = heldIds();
      return ids === null ? fresh : { ...fresh, value: inPlaces(fresh.value, ids, { last, isWhole: ids === asked }) };
    },
    { fallback: key === firstKey ? fallback : undefined },
  );
}

async function readPatients(query: PatientsListQuery, last: PatientsPage | undefined): Promise<Fresh<PatientsPage>> {
  const { text, mine, attention, ...listing } = { ...query, text: query.text.trim(), after: last?.version };
  // A text may be a name, which must never be part of an address.
  const response = await (text === ''
    ? poll('listPatients', {
        query: { ...listing, ...(mine ? { mine: 'true' } : {}), ...(attention ? { attention: 'true' } : {}) },
      })
    : poll('searchPatients', { body: { ...listing, mine, attention, text } }));
  return unlessUnchanged(response, last);
}

/** Reads the held rows alone. The number of patients that the query finds stays as it was. */
async function readRows(
  { unit, sort }: PatientsListQuery,
  ids: readonly number[],
  last: PatientsPage | undefined,
): Promise<Fresh<PatientsPage>> {
  const response = await poll('listPatients', { query: { ids: ids.join(), unit, sort, after: last?.version } });
  const fresh = unlessUnchanged(response, last);
  return fresh.value === last
    ? fresh
    : { ...fresh, value: { ...fresh.value, total: last?.total ?? fresh.value.total } };
}

/**
 * Returns a response with the held rows in their places. A row that it lacks keeps its last values, which age until
 * they are withdrawn. If the response was not to these rows (`isWhole`), its version no longer names it.
 */
function inPlaces(
  page: PatientsPage,
  ids: readonly number[],
  { last, isWhole }: { last: PatientsPage | undefined; isWhole: boolean },
): PatientsPage {
  if (page === last) {
    return page;
  }
  const byId = new Map([...(last?.items ?? []), ...page.items].map((patient) => [patient.id, patient]));
  return { ...page, items: ids.flatMap((id) => byId.get(id) ?? []), version: isWhole ? page.version : '' };
}
