import { useState } from 'react';
import type { Patient, PatientsPage, PatientsSearch } from '../lib/patients/schema';
import type { HeldRows } from './heldRows';
import type { ReadState } from './readState';
import { poll } from './poll';
import { unlessUnchanged } from './unlessUnchanged';
import { useReadState, type Fresh } from './useReadState';
import { isReadOf } from './useRead';

export type PatientsListQuery = Omit<PatientsSearch, 'after'>;

/** A patient of a list. One who is gone has left the user's reach and only keeps their place. */
export interface ListedPatient extends Patient {
  isGone?: true;
}

interface ListedPage extends Omit<PatientsPage, 'items'> {
  items: ListedPatient[];
}

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
export function usePatients(query: PatientsListQuery, fallback?: PatientsPage, held?: HeldRows): ReadState<ListedPage> {
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
      return ids === null ? fresh : { ...fresh, data: inPlaces(fresh.data, ids, { last, isWhole: ids === asked }) };
    },
    { fallback: key === firstKey ? fallback : undefined },
  );
}

async function readPatients(query: PatientsListQuery, last: ListedPage | undefined): Promise<Fresh<ListedPage>> {
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
  last: ListedPage | undefined,
): Promise<Fresh<ListedPage>> {
  const response = await poll('listPatients', { query: { ids: ids.join(), unit, sort, after: last?.version } });
  const fresh = unlessUnchanged(response, last);
  return fresh.data === last ? fresh : { ...fresh, data: { ...fresh.data, total: last?.total ?? fresh.data.total } };
}

/**
 * Returns a response with the held rows in their places. If it was not to these rows (`isWhole`), a row that it lacks
 * keeps its last values, which age until they are withdrawn, and its version no longer names it. If it was, the patient
 * of a row that it lacks is gone.
 */
function inPlaces(
  page: ListedPage,
  ids: readonly number[],
  { last, isWhole }: { last: ListedPage | undefined; isWhole: boolean },
): ListedPage {
  if (page === last) {
    return page;
  }
  const before = (last?.items ?? []).map((patient) => (isWhole ? withoutData(patient) : patient));
  const byId = new Map([...before, ...page.items].map((patient) => [patient.id, patient]));
  return { ...page, items: ids.flatMap((id) => byId.get(id) ?? []), version: isWhole ? page.version : '' };
}

/** Returns who is in a row, and nothing that was measured. */
function withoutData(patient: Patient): ListedPatient {
  return {
    ...patient,
    location: null,
    latest: {},
    symptoms: null,
    deviceAlarms: [],
    alerts: [],
    standby: null,
    comfortCare: null,
    isGone: true,
  };
}
