import type { ReportsResponse } from '../../lib/reports/schema';
import { serviceSeverities } from '../../lib/reports/serviceSeverities';
import { SelectField } from '../ui/SelectField';
import { kindChoices, severityKeys, statusChoices } from './reportChoices';
import styles from './reports.module.css';
import type { ReportsAddress } from './reportsAddress';

interface ReportFiltersProps {
  address: ReportsAddress;
  units: ReportsResponse['units'];
  /** Null: the user manages no reports. */
  assignees: ReportsResponse['assignees'] | null;
  /** The user files reports. */
  hasOwn: boolean;
  onChange: (change: Partial<ReportsAddress>) => void;
}

const statuses: { value: ReportsAddress['status']; label: string }[] = [
  { value: 'open', label: 'All open' },
  ...statusChoices,
  { value: 'all', label: 'All' },
];
const kinds: { value: ReportsAddress['kind']; label: string }[] = [{ value: '', label: 'All' }, ...kindChoices];
const severities: { value: ReportsAddress['severity']; label: string }[] = [
  { value: '', label: 'All' },
  ...severityKeys.map((value) => ({ value, label: `${value} ${serviceSeverities[value].label}` })),
];

/** Which reports are shown. All conditions must be true. */
export function ReportFilters({ address, units, assignees, hasOwn, onChange }: ReportFiltersProps) {
  const { status, kind, severity, unit, assignee, mine } = address;
  return (
    <div className={styles.filters} role="search" aria-label="Filter reports">
      <SelectField label="Status" value={status} choices={statuses} onChange={(value) => onChange({ status: value })} />
      <SelectField label="Kind" value={kind} choices={kinds} onChange={(value) => onChange({ kind: value })} />
      <SelectField
        label="Service severity"
        value={severity}
        choices={severities}
        onChange={(value) => onChange({ severity: value })}
      />
      <SelectField
        label="Unit"
        value={unit}
        choices={withChosen(unit, [
          { value: '', label: 'All units' },
          ...units.map(({ id, name }) => ({ value: String(id), label: name })),
        ])}
        onChange={(value) => onChange({ unit: value })}
      />
      {assignees === null ? null : (
        <SelectField
          label="Assignee"
          value={assignee}
          choices={withChosen(assignee, [
            { value: '', label: 'Everyone' },
            { value: 'none', label: 'No one yet' },
            ...assignees.map(({ id, name }) => ({ value: String(id), label: name })),
          ])}
          onChange={(value) => onChange({ assignee: value })}
        />
      )}
      {hasOwn ? (
        <label className={styles.choice}>
          <input type="checkbox" checked={mine} onChange={({ target }) => onChange({ mine: target.checked })} />
          Only mine
        </label>
      ) : null}
    </div>
  );
}

/** Until the names are read, a number alone would be shown as one. */
function withChosen(value: string, choices: { value: string; label: string }[]): { value: string; label: string }[] {
  return choices.some((choice) => choice.value === value) ? choices : [...choices, { value, label: '…' }];
}
