import { useState } from 'react';
import { assignmentRoleLabels, patientRoles, type PatientRole } from '../../lib/assignments/roles';
import type { AssignmentsResponse } from '../../lib/assignments/schema';
import { NativeButton } from '../ui/NativeButton';
import { nativeControl } from '../ui/nativeControl';
import styles from './AssignmentsTable.module.css';

interface BulkBarProps {
  /** How many rows are selected. */
  count: number;
  /** How many patients have no nurse. */
  withoutNurse: number;
  staff: AssignmentsResponse['staff'];
  ownId: number;
  onSelectWithoutNurse: () => void;
  onClear: () => void;
  onAssign: (role: PatientRole, userId: number | null) => void;
}

/** Assigns all selected patients to one person. The most common case has its own button: nurses assign themselves. */
export function BulkBar({ count, withoutNurse, staff, ownId, onSelectWithoutNurse, onClear, onAssign }: BulkBarProps) {
  const [role, setRole] = useState<PatientRole>('nurse');
  // Empty: not chosen yet. "Not assigned" has to be chosen like a person.
  const [person, setPerson] = useState('');
  const fitting = staff.filter(({ roles }) => roles.includes(role));
  const chosen = fitting.find(({ id }) => String(id) === person);
  const isEmpty = count === 0;
  return (
    <div className={styles.bulk} role="group" aria-label="Selected patients">
      <span role="status" className={styles.note}>
        {isEmpty ? 'Select rows to assign several at once' : `${count} selected`}
      </span>
      {withoutNurse === 0 ? null : (
        <NativeButton look="text" onClick={onSelectWithoutNurse}>
          Select the {withoutNurse} without a nurse
        </NativeButton>
      )}
      {isEmpty ? null : (
        <NativeButton look="text" onClick={onClear}>
          Clear
        </NativeButton>
      )}
      <span className={styles.acts}>
        <label>
          As{' '}
          <select
            className={nativeControl}
            value={role}
            onChange={({ target }) => {
              setRole(patientRoles.find((known) => known === target.value) ?? role);
            }}
          >
            {patientRoles.map((known) => (
              <option key={known} value={known}>
                {assignmentRoleLabels[known].toLowerCase()}
              </option>
            ))}
          </select>
        </label>
        {fitting.some(({ id }) => id === ownId) ? (
          <NativeButton
            look="primary"
            disabled={isEmpty}
            onClick={() => {
              onAssign(role, ownId);
            }}
          >
            Assign to me
          </NativeButton>
        ) : null}
        <label>
          <span className="visually-hidden">Person to assign</span>
          <select
            className={nativeControl}
            value={chosen === undefined && person !== 'nobody' ? '' : person}
            onChange={({ target }) => {
              setPerson(target.value);
            }}
          >
            <option value="">Another person</option>
            <option value="nobody">Not assigned</option>
            {fitting.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <NativeButton
          disabled={isEmpty || (chosen === undefined && person !== 'nobody')}
          onClick={() => {
            onAssign(role, chosen?.id ?? null);
            setPerson('');
          }}
        >
          Assign
        </NativeButton>
      </span>
    </div>
  );
}
