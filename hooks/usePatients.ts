import { useState } from 'react';
import type { PatientsPage, PatientsSearch } from '../lib/patients/schema';
import type { Answer } from './answer';
import { poll } from './poll';
import { unlessUnchanged } from './unlessUnchanged';
import { useAnswer, type Fresh } from './useAnswer';

export type PatientsListQuery = Omit<PatientsSearch, 'after'>;

const keyStart = 'patients ';

/** Whether an SWR key is that of a list of patients, to have all of them asked for again after a change. */
export function isPatientsKey(key: unknown): key is string {
  return typeof key === 'string' && key.startsWith(keyStart);
}

/**
 * One page of the site's patients. `fallback` is the page that came with the first query. While nothing has changed
 * `data` stays the same object.
 */
export function usePatients(query: PatientsListQuery, fallback?: PatientsPage): Answer<PatientsPage> {
  const { state, unit, bed, mine, sort, page, pageSize, text } = query;
  const key = keyStart + JSON.stringify([state, unit, bed, mine, sort, page, pageSize, text]);
  const [firstKey] = useState(key);
  return useAnswer(key, (held) => readPatients(query, held), { fallback: key === firstKey ? fallback : undefined });
}

async function readPatients(query: PatientsListQuery, held: PatientsPage | undefined): Promise<Fresh<PatientsPage>> {
  const { text, mine, ...listing } = { ...query, text: query.text.trim(), after: held?.version };
  // A text may be a name, which must never stand in an address.
  const reply = await (text === ''
    ? poll('listPatients', { query: mine ? { ...listing, mine: 'true' } : listing })
    : poll('searchPatients', { body: { ...listing, mine, text } }));
  return unlessUnchanged(reply, held);
}
