import { useRead } from '../../hooks/useRead';
import type { HistoryAddress } from '../../lib/alerts/historyAddress';
import { ruleNames } from '../../lib/alerts/ruleNames';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { DayField } from '../ui/DayPicker';
import { FilterField } from '../ui/FilterField';
import { PatientField } from '../ui/PatientField';
import styles from './history.module.css';

export interface FiltersProps {
  user: User;
  address: HistoryAddress;
  onChange: (change: Partial<HistoryAddress>) => void;
}

const priorityChoices = [
  { value: '', label: 'All' },
  { value: 'high', label: 'High' },
  { value: 'medium', label: 'Medium' },
  { value: 'low', label: 'Low' },
];
const stateChoices = [
  { value: '', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
];
const ruleChoices = [
  { value: '', label: 'All rules' },
  ...Object.entries(ruleNames)
    .map(([value, label]) => ({ value, label }))
    .toSorted((a, b) => a.label.localeCompare(b.label)),
];
export const noFilters = { unit: '', patient: '', priority: '', rule: '', state: '', person: '', from: '', to: '' };

/** Returns whether the address has any of the filters. */
export function isFiltered(address: HistoryAddress): boolean {
  return Object.keys(noFilters).some((name) =>
    Object.entries(address).some(([of, value]) => of === name && value !== ''),
  );
}

/** Which alerts the history shows. All conditions must be true. */
export function HistoryFilters({ user, address, onChange }: FiltersProps) {
  return (
    <div className={`${styles.filters} ${styles.inOneRow}`} role="search" aria-label="Filter alerts">
      <DayField label="From" site={user.site} value={address.from} onChange={(from) => onChange({ from })} />
      <DayField label="To" site={user.site} value={address.to} onChange={(to) => onChange({ to })} />
      {can(user, 'readPatients') ? <UnitField address={address} onChange={onChange} /> : null}
      {can(user, 'readPatients') ? (
        <PatientField placeholder="All" value={address.patient} onChange={(patient) => onChange({ patient })} />
      ) : null}
      <FilterField
        label="Priority"
        value={address.priority}
        options={priorityChoices}
        onChange={(priority) => onChange({ priority })}
      />
      <FilterField
        label="Rule"
        isLong
        value={address.rule}
        options={ruleChoices}
        onChange={(rule) => onChange({ rule })}
      />
      <FilterField
        label="State"
        value={address.state}
        options={stateChoices}
        onChange={(state) => onChange({ state })}
      />
      <PersonField address={address} onChange={onChange} />
    </div>
  );
}

/** The unit in which the patients are now. */
export function UnitField({ address, onChange }: Omit<FiltersProps, 'user'>) {
  const units = useRead('listUnits', {}, { everyMs: 600_000 }).data?.items ?? [];
  return (
    <FilterField
      label="Unit"
      isLong
      value={address.unit}
      options={withChosen(address.unit, [
        { value: '', label: 'All units' },
        ...units.map(({ id, name }) => ({ value: String(id), label: name })),
      ])}
      onChange={(unit) => onChange({ unit })}
    />
  );
}

function PersonField({ address, onChange }: Omit<FiltersProps, 'user'>) {
  const people = useRead('listAlertHistoryPeople', {}, { everyMs: 600_000 }).data?.items ?? [];
  return (
    <FilterField
      label="Person"
      isLong
      value={address.person}
      options={withChosen(address.person, [
        { value: '', label: 'Everyone' },
        ...people.map(({ id, name }) => ({ value: String(id), label: name })),
      ])}
      onChange={(person) => onChange({ person })}
    />
  );
}

interface Choice {
  value: string;
  label: string;
}

/** Until the names are there, a number alone would be shown as one. */
function withChosen(value: string, choices: Choice[]): Choice[] {
  return choices.some((choice) => choice.value === value) ? choices : [...choices, { value, label: '…' }];
}
