import { useDeferredValue, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useNotedArrivals } from '../../hooks/PageValuesProvider';
import { PatientRow } from './PatientRow';
import styles from './PatientsTable.module.css';
import type { RowsProps } from './RowsProps';

/**
 * The rows of a page of up to 100 patients. New values and ages reach all of them in one commit, which React renders
 * between other tasks; another order reaches them at once, and so do the newest values before the page is printed.
 */
export function PlainRows({ newest, selectedIds, ...shared }: RowsProps) {
  const isPrinting = useIsPrinting();
  const deferred = useDeferredValue(newest);
  const { patients, sparks, now, serverLost } = isPrinting || deferred.order !== newest.order ? newest : deferred;
  useNotedArrivals(patients);
  return (
    <tbody role="rowgroup" className={`ant-table-tbody ${styles.plain}`}>
      {patients.map((patient) => (
        <PatientRow
          key={patient.id}
          patient={patient}
          sparks={sparks?.get(patient.id)}
          isSelected={selectedIds.includes(patient.id)}
          now={now}
          serverLost={serverLost}
          {...shared}
        />
      ))}
    </tbody>
  );
}

/** Returns whether the page is being printed. What depends on it is in the document before the print is taken. */
function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    const onBefore = (): void => flushSync(() => setIsPrinting(true));
    const onAfter = (): void => setIsPrinting(false);
    window.addEventListener('beforeprint', onBefore);
    window.addEventListener('afterprint', onAfter);
    return () => {
      window.removeEventListener('beforeprint', onBefore);
      window.removeEventListener('afterprint', onAfter);
    };
  }, []);
  return isPrinting;
}
