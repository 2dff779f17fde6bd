import { createContext } from 'react';
import type { Sparks } from '../../hooks/useSparks';
import type { Patient } from '../../lib/patients/schema';

export interface AlertValues {
  /** The patients whose newest values are known, by their id: a value is never that of another patient. */
  patients: ReadonlyMap<number, Patient>;
  sparks: Sparks['byPatient'] | undefined;
}

/**
 * The values beside the alerts. A context, because they change every second: only the numbers render again, not the
 * rows.
 */
export const AlertValuesContext = createContext<AlertValues>({ patients: new Map(), sparks: undefined });
