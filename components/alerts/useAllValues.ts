import { useMemo } from 'react';
import { useAlertPatients } from '../../hooks/useAlertPatients';
import type { AlertItem } from '../../lib/alerts/schema';
import { wordsOf, type AlertValues, type PatientValues } from './AlertValues';

/** Adds what the alerts say, and the values of the patients with alerts who are not on the screen. */
export function useAllValues(values: PatientValues, alerts: readonly AlertItem[] | undefined): AlertValues {
  const missing = useMemo(() => {
    const ids = (alerts ?? []).flatMap(({ patientId }) => patientId ?? []);
    return [...new Set(ids)].filter((id) => !values.patients.has(id)).sort((a, b) => a - b);
  }, [alerts, values.patients]);
  const others = useAlertPatients(missing).data?.items;
  return useMemo(() => {
    const read = (others ?? []).map((patient) => [patient.id, patient] as const);
    const patients = read.length === 0 ? values.patients : new Map([...read, ...values.patients]);
    return { ...values, patients, words: wordsOf(alerts) };
  }, [values, alerts, others]);
}
