import type { ReactNode } from 'react';
import { useNow } from '../../hooks/useNow';
import { reportingStateOf } from '../../lib/patients/groupByReporting';
import type { Patient } from '../../lib/patients/schema';
import { PatientsEmpty } from './PatientsEmpty';
import styles from './PatientsScreen.module.css';

interface NotReportingProps {
  patients: readonly Patient[];
  /** All that the question found, of whom one answer holds 500. */
  total: number;
  initialNow: number;
  onShowAll: () => void;
  children: (patients: Patient[]) => ReactNode;
}

/**
 * Those whose SpO2 does not come in. Looked at every second in the page, because a silence begins without any answer.
 */
export function NotReporting({ patients, total, initialNow, onShowAll, children }: NotReportingProps) {
  const now = useNow(initialNow);
  const found = patients.filter(({ latest }) => reportingStateOf(latest.spo2, now) !== 'reporting');
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
