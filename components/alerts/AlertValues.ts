import { createContext, useContext } from 'react';
import type { Sparks } from '../../hooks/useSparks';
import type { AlertItem } from '../../lib/alerts/schema';
import type { Patient } from '../../lib/patients/schema';

export interface PatientValues {
  /** The patients whose newest values are known, by their id: a value is never that of another patient. */
  patients: ReadonlyMap<number, Patient>;
  sparks: Sparks['byPatient'] | undefined;
}

/** What an alert says, "SpO2 86 % < 88 for 4 min", and the values of the same moment. */
type AlertWords = Pick<AlertItem, 'headline' | 'sentence' | 'values'>;

export interface AlertValues extends PatientValues {
  /** What each open alert says now, by its id. */
  words: ReadonlyMap<number, AlertWords>;
}

export function wordsOf(alerts: readonly AlertItem[] | undefined): AlertValues['words'] {
  return new Map((alerts ?? []).map((alert) => [alert.id, alert]));
}

/** Returns what an alert says now; of one that is no longer open, what it said last. */
export function useAlertWords(alert: AlertItem): AlertWords {
  const { words } = useContext(AlertValuesContext);
  return words.get(alert.id) ?? alert;
}

/**
 * The values beside the alerts, and their words. A context, because they change every second: only these render again,
 * not the rows.
 */
export const AlertValuesContext = createContext<AlertValues>({
  patients: new Map(),
  sparks: undefined,
  words: new Map(),
});
