import { useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
import { useSparks } from '../../hooks/useSparks';
import type { PatientSort } from '../../lib/patients/listing';
import type { Patient } from '../../lib/patients/schema';
import { SparkLegend } from '../vitals/SparkLegend';
import styles from './PatientsTable.module.css';
import { PatientsTableHead } from './PatientsTableHead';
import { PlainRows } from './PlainRows';
import { SlicedRows } from './SlicedRows';

/** The largest page whose rows React draws without our own time slicing. */
const plainRows = 100;

interface PatientsTableProps {
  patients: Patient[];
  /** How many patients a page of this list may hold. */
  pageSize: number;
  sort: PatientSort;
  onSort: (sort: PatientSort) => void;
  selectedIds: readonly number[];
  onSelect: (ids: number[]) => void;
  initialNow: number;
  timeZone: string;
}

/**
 * The patients of one page of the list, with two identifiers each; a click anywhere in a row selects it. A plain table
 * in antd's classes: antd's own draws all rows again whenever one of them changes, which 500 rows a second are too many
 * for.
 */
export function PatientsTable({
  patients,
  pageSize,
  sort,
  onSort,
  selectedIds,
  onSelect,
  initialNow,
  timeZone,
}: PatientsTableProps) {
  const now = useNow(initialNow);
  const serverLost = useServerLost();
  // All rows change with a poll and all ages each second, but who stands where hardly ever does.
  const ids = useMemo(() => patients.map(({ id }) => id), [patients]);
  const sparks = useSparks(ids).data?.byPatient;
  const order = ids.join();
  const newest = useMemo(
    () => ({ patients, order, sparks, now, serverLost }),
    [patients, order, sparks, now, serverLost],
  );
  const table = useRef<HTMLTableElement>(null);
  // By the size of the page, so that a patient more or less does not replace the rows under the keyboard. While a
  // smaller page is on its way the larger one is still shown.
  const isLong = Math.max(pageSize, patients.length) > plainRows;

  const latest = useRef({ selectedIds, onSelect });
  useLayoutEffect(() => {
    latest.current = { selectedIds, onSelect };
  });
  // Stays the same, so that selecting one row does not draw the others.
  const toggle = useCallback((id: number) => {
    const { selectedIds: ids, onSelect: select } = latest.current;
    select(ids.includes(id) ? ids.filter((selected) => selected !== id) : [...ids, id]);
  }, []);
  const rows = { selectedIds, onToggle: toggle, timeZone };

  return (
    <div className={`${styles.table} ant-table-wrapper wardlight ant-table-css-var`}>
      <div className="ant-table">
        <div className="ant-table-container">
          <table role="table" ref={table}>
            <PatientsTableHead
              patients={patients}
              sort={sort}
              onSort={onSort}
              selectedIds={selectedIds}
              onSelect={onSelect}
            />
            {isLong ? <SlicedRows newest={newest} table={table} {...rows} /> : <PlainRows newest={newest} {...rows} />}
          </table>
        </div>
      </div>
      <SparkLegend />
    </div>
  );
}
