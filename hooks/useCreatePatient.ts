import { useCallback } from 'react';
import { useSWRConfig } from 'swr';
import { call, type CallInput } from '../lib/browser/client';
import type { Patient } from '../lib/patients/schema';
import { isPatientsKey } from './usePatients';

export type CreatePatient = (patient: CallInput<'createPatient'>['body']) => Promise<Patient>;

/** Returns the call that adds a patient and then polls every list on the page. Throws `ApiFailure`. */
export function useCreatePatient(): CreatePatient {
  const { mutate } = useSWRConfig();
  return useCallback(
    async (body) => {
      const created = await call('createPatient', { body });
      // Not awaited: the patient is safe, and a list that cannot be read says so itself.
      void mutate(isPatientsKey);
      return created;
    },
    [mutate],
  );
}
