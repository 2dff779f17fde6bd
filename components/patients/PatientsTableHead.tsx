import { memo, type ReactNode } from 'react';
import { alertSort, type PatientSort, type PatientSortField } from '../../lib/patients/listing';
import type { Patient } from '../../lib/patients/schema';
import { SelectBox } from '../ui/SelectBox';
import { VitalLabel } from '../ui/VitalLabel';
import styles from './PatientsTable.module.css';

interface PatientsTableHeadProps {
  patients: readonly Patient[];
  sort: PatientSort;
  onSort: (sort: PatientSort) => void;
  selectedIds: readonly number[];
  onSelect: (ids: number[]) => void;
}

/** The alerts sort in one direction only. */
type SortedBy = PatientSortField | 'alert';

interface Sort {
  field: SortedBy;
  label: ReactNode;
}

/** The columns that sort the list; `of` is the class that holds a column's width. */
const columns: readonly { of: string; sorts: readonly [Sort, ...Sort[]] }[] = [
  { of: 'place', sorts: [{ field: 'location', label: 'Bed' }] },
  { of: 'name', sorts: [{ field: 'familyName', label: 'Name' }] },
  {
    of: 'ids',
    sorts: [
      { field: 'dateOfBirth', label: 'Born' },
      { field: 'mrn', label: 'MRN' },
    ],
  },
  { of: 'alert', sorts: [{ field: 'alert', label: 'Alert' }] },
  { of: 'vital', sorts: [{ field: 'spo2', label: <VitalLabel kind="spo2" /> }] },
  { of: 'vital', sorts: [{ field: 'heartRate', label: 'HR' }] },
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
        {columns.map(({ of, sorts }) => (
          <Head key={sorts[0].field} of={of} sorts={sorts} sort={sort} onSort={onSort} />
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

type Sorting = Pick<PatientsTableHeadProps, 'sort' | 'onSort'>;

function orderOf(sort: PatientSort, field: SortedBy): 'ascending' | 'descending' | undefined {
  return sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : undefined;
}

/** A column that sorts the list, by one of two things if it has two. */
function Head({ of, sorts, ...sorting }: (typeof columns)[number] & Sorting) {
  const order = sorts.map(({ field }) => orderOf(sorting.sort, field)).find((known) => known !== undefined);
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={order}
      className={`ant-table-cell ${styles[of]} ${order === undefined ? '' : 'ant-table-column-sort'}`}
    >
      {sorts.map(({ field, label }) => (
        <SortButton key={field} field={field} {...sorting}>
          {label}
        </SortButton>
      ))}
    </th>
  );
}

/** Sorts the list, ascending with the first press; by alerts always the most urgent first. */
function SortButton({ field, sort, onSort, children }: Sorting & { field: SortedBy; children: ReactNode }) {
  const order = orderOf(sort, field);
  const sortByIt = (): void => {
    onSort(field === 'alert' ? alertSort : order === 'ascending' ? `-${field}` : field);
  };
  return (
    <button
      type="button"
      className={styles.sort}
      aria-description={order === undefined ? 'sorts the list' : `sorted, ${order}`}
      data-birth={field === 'dateOfBirth' ? '' : undefined}
      onClick={sortByIt}
    >
      <span>{children}</span>
      <SortArrows order={order} />
    </button>
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
