import { memo, useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { useNotedArrivals } from '../../hooks/PageValuesProvider';
import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
import type { ListedPatient } from '../../hooks/usePatients';
import { useTodayFrom } from '../../hooks/useTodayFrom';
import { useSparks, type Sparks } from '../../hooks/useSparks';
import type { PatientSort } from '../../lib/patients/listing';
import { SparkLegend } from '../vitals/SparkLegend';
import { PatientRow } from './PatientRow';
import styles from './PatientsTable.module.css';
import { PatientsTableHead } from './PatientsTableHead';
import { useNearBlocks } from './useNearBlocks';
import { useShownAt, useShownNear, useTimeSliced, type TimeSliced } from './useTimeSliced';

/** How many rows render together: few enough that a slow computer renders and lays them out in far less than 50 ms. */
const blockSize = 3;
/** The walkthrough selects the third row, else the last one. */
const tourRow = 2;

interface PatientsTableProps {
  patients: ListedPatient[];
  /** How many notes of each patient the user has not read, by the patient's id. */
  unread: ReadonlyMap<number, number>;
  sort: PatientSort;
  onSort: (sort: PatientSort) => void;
  selectedIds: readonly number[];
  onSelect: (ids: number[]) => void;
  initialNow: number;
  timeZone: string;
}

/**
 * The patients of one page of the list, with two identifiers each. A click anywhere in a row selects it. A plain table
 * in antd's classes: antd's own renders all rows again when one changes, too slow for 500 rows a second.
 */
export function PatientsTable({
  patients,
  unread,
  sort,
  onSort,
  selectedIds,
  onSelect,
  initialNow,
  timeZone,
}: PatientsTableProps) {
  const now = useNow(initialNow);
  const serverLost = useServerLost();
  const todayFrom = useTodayFrom(now, timeZone);
  // A poll changes all rows and each second changes all ages, but the order of the patients rarely changes.
  const ids = useMemo(() => patients.map(({ id }) => id), [patients]);
  const sparks = useSparks(ids).data?.byPatient;
  const newest = useMemo(
    () => ({ patients, sparks, unread, now, serverLost }),
    [patients, sparks, unread, now, serverLost],
  );
  const order = ids.join();
  const blocks = Math.max(1, Math.ceil(patients.length / blockSize));
  const table = useRef<HTMLTableElement>(null);
  const near = useNearBlocks(table, blocks);
  const sliced = useTimeSliced<Shown>(newest, blocks, order, near);

  const latest = useRef({ selectedIds, onSelect });
  useLayoutEffect(() => {
    latest.current = { selectedIds, onSelect };
  });
  // Stays the same, so that selecting one row does not draw the others.
  const toggle = useCallback((id: number) => {
    const { selectedIds: ids, onSelect: select } = latest.current;
    select(ids.includes(id) ? ids.filter((selected) => selected !== id) : [...ids, id]);
  }, []);

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
            {Array.from({ length: blocks }, (_, block) => (
              <Block
                key={block}
                sliced={sliced}
                block={block}
                selectedIds={selectedIds}
                onToggle={toggle}
                timeZone={timeZone}
                todayFrom={todayFrom}
              />
            ))}
          </table>
          <NearArrivals sliced={sliced} near={near} />
        </div>
      </div>
      <SparkLegend />
    </div>
  );
}

/** What all blocks show once they are up to date. */
interface Shown {
  patients: readonly ListedPatient[];
  sparks: Sparks['byPatient'] | undefined;
  unread: ReadonlyMap<number, number>;
  now: number;
  serverLost: number | null;
}

interface NearArrivalsProps {
  sliced: TimeSliced<Shown>;
  near: ReadonlySet<number> | null;
}

/** Measures the delay of the rows near the screen when the last of them shows a response, and of no other rows. */
function NearArrivals({ sliced, near }: NearArrivalsProps) {
  const { patients } = useShownNear(sliced);
  const drawn = useMemo(
    () => (near === null ? patients : patients.filter((_, index) => near.has(Math.floor(index / blockSize)))),
    [patients, near],
  );
  useNotedArrivals(drawn);
  return null;
}

interface BlockProps {
  sliced: TimeSliced<Shown>;
  /** Its place among the blocks, from 0. */
  block: number;
  selectedIds: readonly number[];
  onToggle: (id: number) => void;
  timeZone: string;
  todayFrom: number;
}

/** Some rows that are drawn together, so that a row never shows the values of one moment with the ages of another. */
const Block = memo(function Block({ sliced, block, selectedIds, ...shared }: BlockProps) {
  const { patients, sparks, unread, now, serverLost } = useShownAt(sliced, block);
  const rows = patients.slice(block * blockSize, (block + 1) * blockSize);
  return (
    <tbody role="rowgroup" className={`ant-table-tbody ${rows.length === blockSize ? styles.block : ''}`}>
      {rows.map((patient, at) => (
        <PatientRow
          key={patient.id}
          patient={patient}
          isForTour={block * blockSize + at === Math.min(tourRow, patients.length - 1)}
          sparks={sparks?.get(patient.id)}
          unread={unread.get(patient.id) ?? 0}
          isSelected={selectedIds.includes(patient.id)}
          now={now}
          serverLost={serverLost}
          {...shared}
        />
      ))}
    </tbody>
  );
});
