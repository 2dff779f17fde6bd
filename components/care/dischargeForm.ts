import { z } from 'zod';
import type { Patient } from '../../lib/patients/schema';

/** The form of a discharge: the typed MRN has to be the patient's, and becomes the change of their state. */
export function dischargeForm({ mrn, version }: Pick<Patient, 'mrn' | 'version'>) {
  return z
    .object({
      mrn: z
        .string()
        .trim()
        .refine((typed) => typed === mrn, 'is not the one of this patient'),
    })
    .transform(() => ({ version, state: 'discharged' as const }));
}
