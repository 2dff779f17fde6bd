import { z } from 'zod';
import type { Patient } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { instant } from '../../lib/time/schema';
import { sinceOf } from './SinceField';

/** The form of a discharge: the typed MRN has to be the patient's, and becomes the change of their state. */
export function dischargeForm({ mrn, version }: Pick<Patient, 'mrn' | 'version'>, site: User['site']) {
  return z
    .object({
      mrn: z
        .string()
        .trim()
        .refine((typed) => typed === mrn, 'is not the one of this patient'),
      since: z
        .string()
        .transform((typed) => sinceOf(typed, site))
        .pipe(instant.optional()),
    })
    .transform(({ since }) => ({ version, state: 'discharged' as const, since }));
}
