import { memo, type KeyboardEvent, type ReactNode } from 'react';
import type { PatientSort, PatientSortField } from '../../lib/patients/listing';
import type { Patient } from '../../lib/patients/schema';
import { VitalLabel } from '../ui/VitalLabel';
import styles from './PatientsTable.module.css';
import { SelectBox } from '../ui/SelectBox';

interface PatientsTableHeadProps {
  patients: readonly Patient[];
  sort: PatientSort;
  onSort: (sort: PatientSort) => void;
  selectedIds: readonly number[];
  onSelect: (ids: number[]) => void;
}

const sortable: readonly { field: PatientSortField; label: ReactNode; column: string }[] = [
  { field: 'familyName', label: 'Name', column: 'name' },
  { field: 'dateOfBirth', label: 'Date of birth', column: 'date' },
  { field: 'mrn', label: 'MRN', column: 'mrn' },
  { field: 'location', label: 'Place', column: 'place' },
  { field: 'spo2', label: <VitalLabel kind="spo2" />, column: 'vital' },
  { field: 'heartRate', label: 'HR', column: 'vital' },
];

/** The column names, which sort the list, and the checkbox that selects the whole page. */
export const PatientsTableHead = memo(function PatientsTableHead({
  patients,
  sort,
  onSort,
  selectedIds,
  onSelect,
}: PatientsTableHeadProps) {
  const selected = new Set(selectedIds);
  const missing = patients.map(({ id }) => id).filter((id) => !selected.has(id));
  const isAll = patients.length > 0 && missing.length === 0;
  const toggleAll = (): void => {
    const page = new Set(patients.map(({ id }) => id));
    // Those selected on another page stay.
    onSelect(isAll ? selectedIds.filter((id) => !page.has(id)) : [...selectedIds, ...missing]);
  };
  return (
    <thead role="rowgroup" className="ant-table-thead">
      <tr role="row">
        <th role="columnheader" scope="col" className={`ant-table-cell ${styles.pick}`}>
          <SelectBox
            label="Select all"
            isChecked={isAll}
            isMixed={!isAll && missing.length < patients.length}
            onChange={toggleAll}
          />
        </th>
        {sortable.map(({ field, label, column }) => (
          <SortableHeader key={field} field={field} label={label} column={column} sort={sort} onSort={onSort} />
        ))}
        <th role="columnheader" scope="col" className={`ant-table-cell ${styles.news2}`}>
          NEWS2
        </th>
        <th role="columnheader" scope="col" className={`ant-table-cell ${styles.profile}`}>
          Profile
        </th>
      </tr>
    </thead>
  );
});

interface SortableHeaderProps extends Pick<PatientsTableHeadProps, 'sort' | 'onSort'> {
  field: PatientSortField;
  label: ReactNode;
  /** The class that holds the column's width. */
  column: string;
}

/** A column that sorts the list, ascending with the first press. */
function SortableHeader({ field, label, column, sort, onSort }: SortableHeaderProps) {
  const order = sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : undefined;
  const sortByIt = (): void => {
    onSort(order === 'ascending' ? `-${field}` : field);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' || event.key === ' ') {
      // The space bar would scroll the page.
      event.preventDefault();
      sortByIt();
    }
  };
  return (
    <th
      role="columnheader"
      scope="col"
      tabIndex={0}
      aria-sort={order}
      aria-description="sortable"
      className={[
        'ant-table-cell ant-table-column-has-sorters',
        styles[column],
        order === undefined ? '' : 'ant-table-column-sort',
      ].join(' ')}
      onClick={sortByIt}
      onKeyDown={onKeyDown}
    >
      <div className="ant-table-column-sorters">
        <span className="ant-table-column-title">{label}</span>
        <SortArrows order={order} />
      </div>
    </th>
  );
}

function SortArrows({ order }: { order: 'ascending' | 'descending' | undefined }) {
  return (
    <svg
      className="ant-table-column-sorter"
      width="8"
      height="14"
      viewBox="0 0 8 14"
      fill="currentColor"
      aria-hidden="true"
    >
      <path className={`ant-table-column-sorter-up ${order === 'ascending' ? 'active' : ''}`} d="M4 1 8 6H0z" />
      <path className={`ant-table-column-sorter-down ${order === 'descending' ? 'active' : ''}`} d="M4 13 0 8h8z" />
    </svg>
  );
}
