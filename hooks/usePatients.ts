import { useState } from 'react';
import type { PatientsPage, PatientsSearch } from '../lib/patients/schema';
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

/**
 * Reads one page of the site's patients. `fallback` is the page that came with the first query. `data` stays the same
 * object until something changes.
 */
export function usePatients(query: PatientsListQuery, fallback?: PatientsPage): ReadState<PatientsPage> {
  const { state, unit, bed, mine, sort, page, pageSize, text } = query;
  const key = `listPatients ${JSON.stringify([state, unit, bed, mine, sort, page, pageSize, text])}`;
  const [firstKey] = useState(key);
  return useReadState(key, (held) => readPatients(query, held), { fallback: key === firstKey ? fallback : undefined });
}

async function readPatients(query: PatientsListQuery, held: PatientsPage | undefined): Promise<Fresh<PatientsPage>> {
  const { text, mine, ...listing } = { ...query, text: query.text.trim(), after: held?.version };
  // A text may be a name, which must never be part of an address.
  const response = await (text === ''
    ? poll('listPatients', { query: mine ? { ...listing, mine: 'true' } : listing })
    : poll('searchPatients', { body: { ...listing, mine, text } }));
  return unlessUnchanged(response, held);
}
