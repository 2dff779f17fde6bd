import { memo, useMemo, type RefObject } from 'react';
import { useNotedArrivals } from '../../hooks/PageValuesProvider';
import { PatientRow } from './PatientRow';
import styles from './PatientsTable.module.css';
import type { RowsProps, ShownPatients } from './RowsProps';
import { useNearBlocks } from './useNearBlocks';
import { useShownAt, useShownNear, useTimeSliced, type TimeSliced } from './useTimeSliced';

/** Rows that are drawn together. Few enough that a slow computer draws and lays out them in far less than 50 ms. */
const blockSize = 3;

interface SlicedRowsProps extends RowsProps {
  /** The table around these rows. */
  table: RefObject<HTMLTableElement | null>;
}

/** The rows of a page of more than 100 patients: a few in a task, those near the screen first. */
export function SlicedRows({ newest, table, ...shared }: SlicedRowsProps) {
  const blocks = Math.max(1, Math.ceil(newest.patients.length / blockSize));
  const near = useNearBlocks(table, blocks);
  const sliced = useTimeSliced(newest, blocks, newest.order, near);
  return (
    <>
      {Array.from({ length: blocks }, (_, block) => (
        <Block key={block} sliced={sliced} block={block} {...shared} />
      ))}
      <NearArrivals sliced={sliced} near={near} />
    </>
  );
}

interface BlockProps extends Omit<RowsProps, 'newest'> {
  sliced: TimeSliced<ShownPatients>;
  /** Its place among the blocks, from 0. */
  block: number;
}

/** Some rows that are drawn together. */
const Block = memo(function Block({ sliced, block, selectedIds, ...shared }: BlockProps) {
  const { patients, sparks, now, serverLost } = useShownAt(sliced, block);
  const rows = patients.slice(block * blockSize, (block + 1) * blockSize);
  return (
    <tbody role="rowgroup" className={`ant-table-tbody ${rows.length === blockSize ? styles.block : ''}`}>
      {rows.map((patient) => (
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
});

interface NearArrivalsProps {
  sliced: TimeSliced<ShownPatients>;
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
