import type { Sparks } from '../../hooks/useSparks';
import type { Patient } from '../../lib/patients/schema';

/** All that the rows of one moment show, so that no row has the values of one moment with the ages of another. */
export interface ShownPatients {
  patients: readonly Patient[];
  /** The patients' ids in the order of the list. */
  order: string;
  sparks: Sparks['byPatient'] | undefined;
  /** The server's time, and since when it has not answered, epoch milliseconds. */
  now: number;
  serverLost: number | null;
}

/** What the rows of the list need, however they are drawn. */
export interface RowsProps {
  newest: ShownPatients;
  selectedIds: readonly number[];
  onToggle: (id: number) => void;
  timeZone: string;
}
