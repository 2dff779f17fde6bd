import { clientFailure } from '../lib/browser/client';
import type { Patient } from '../lib/patients/schema';
import type { ReadState } from './readState';
import { poll } from './poll';
import { useReadState, type Fresh } from './useReadState';
import { isReadOf } from './useRead';

/** Returns whether an SWR key is that of one patient. */
export function isPatientKey(key: unknown): key is string {
  return typeof key === 'string' && isReadOf('getPatient', key);
}

/** Reads one patient. `fallback` is the patient that came with the page; ignored if it is another one. */
export function usePatient(id: number, fallback?: Patient): ReadState<Patient> {
  return useReadState(`getPatient ${id}`, () => readPatient(id), {
    fallback: fallback?.id === id ? fallback : undefined,
  });
}

async function readPatient(id: number): Promise<Fresh<Patient>> {
  const fresh = await poll('getPatient', { params: { id } });
  if (fresh.data.id !== id) {
    throw clientFailure('unreadable_response');
  }
  return fresh;
}
