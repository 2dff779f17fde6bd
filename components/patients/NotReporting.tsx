import { useState, type ReactNode } from 'react';
import { useNow } from '../../hooks/useNow';
import type { ListedPatient } from '../../hooks/usePatients';
import { reportingStateOf } from '../../lib/patients/groupByReporting';
import { PatientsEmpty } from './PatientsEmpty';
import styles from './PatientsScreen.module.css';

interface NotReportingProps {
  patients: readonly ListedPatient[];
  /** How many the query found; one response holds 500 of them. */
  total: number;
  /** While the list holds still (`useFreeze`), no one joins or leaves it. */
  frozen: number | null;
  initialNow: number;
  onShowAll: () => void;
  children: (patients: ListedPatient[]) => ReactNode;
}

/**
 * The patients whose SpO2 does not arrive. Evaluated in the page each second, because a silence begins without a
 * response.
 */
export function NotReporting({ patients, total, frozen, initialNow, onShowAll, children }: NotReportingProps) {
  const now = useNow(initialNow);
  const silent = patients.filter(
    ({ latest, isGone }) => isGone !== true && reportingStateOf(latest.spo2, now) !== 'reporting',
  );
  const [kept, setKept] = useState<{ frozen: number | null; ids: ReadonlySet<number> } | null>(null);
  if (kept === null || kept.frozen !== frozen) {
    setKept({ frozen, ids: new Set(silent.map(({ id }) => id)) });
  }
  const isHeld = frozen !== null && kept?.frozen === frozen;
  const found = isHeld ? patients.filter(({ id }) => kept.ids.has(id)) : silent;
  const rest = total - patients.length;
  return (
    <>
      <p role="status" className={styles.note}>
        {`${found.length} of ${patients.length} patients do not report SpO2.`}
        {rest > 0 ? ` ${rest} more were not checked: choose a unit.` : null}
      </p>
      {found.length === 0 ? (
        <PatientsEmpty because="reporting" onShowAll={onShowAll} onFirstPage={onShowAll} />
      ) : (
        children(found)
      )}
    </>
  );
}
