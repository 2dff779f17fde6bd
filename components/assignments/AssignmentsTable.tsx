import { useId, useMemo, useState } from 'react';
import { placeOf } from '../../lib/assignments/holders';
import { assignmentRoleLabels, patientRoles, type PatientRole } from '../../lib/assignments/roles';
import type { AssignmentsResponse } from '../../lib/assignments/schema';
import { formatCalendarDate } from '../../lib/time/formatTime';
import { NativeButton } from '../ui/NativeButton';
import { PatientName, patientName } from '../ui/PatientName';
import { SelectBox } from '../ui/SelectBox';
import { nativeControl } from '../ui/nativeControl';
import styles from './AssignmentsTable.module.css';
import { HolderCell } from './HolderCell';
import type { Assigning, Place } from './useAssigning';

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
function BulkBar({ count, withoutNurse, staff, ownId, onSelectWithoutNurse, onClear, onAssign }: BulkBarProps) {
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
            onChange={({ target }) => setRole(patientRoles.find((known) => known === target.value) ?? role)}
          >
            {patientRoles.map((known) => (
              <option key={known} value={known}>
                {assignmentRoleLabels[known].toLowerCase()}
              </option>
            ))}
          </select>
        </label>
        {fitting.some(({ id }) => id === ownId) ? (
          <NativeButton look="primary" disabled={isEmpty} onClick={() => onAssign(role, ownId)}>
            Assign to me
          </NativeButton>
        ) : null}
        <label>
          <span className="visually-hidden">Person to assign</span>
          <select
            className={nativeControl}
            value={chosen === undefined && person !== 'nobody' ? '' : person}
            onChange={({ target }) => setPerson(target.value)}
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

interface AssignmentsTableProps
  extends Pick<AssignmentsResponse, 'patients' | 'staff'>, Pick<Assigning, 'drafts' | 'assign'> {
  ownId: number;
  canAssign: boolean;
  timeZone: string;
}

type AssignedPatient = AssignmentsResponse['patients'][number];

const placesOf = (patient: AssignedPatient): Record<PatientRole, Place> => ({
  nurse: { role: 'nurse', patientId: patient.id, label: `${assignmentRoleLabels.nurse} of ${patientName(patient)}` },
  buddy: { role: 'buddy', patientId: patient.id, label: `${assignmentRoleLabels.buddy} of ${patientName(patient)}` },
});

/** The patients of a unit by bed, each with nurse and buddy. Several selected rows can be assigned at once. */
export function AssignmentsTable({
  patients,
  staff,
  drafts,
  assign,
  ownId,
  canAssign,
  timeZone,
}: AssignmentsTableProps) {
  const headingId = useId();
  const [chosen, setChosen] = useState<readonly number[]>([]);
  // Patients who have left the unit meanwhile are no longer selected.
  const selected = patients.filter(({ id }) => chosen.includes(id));
  const withoutNurse = patients.filter(({ holders }) => (holders.nurse?.userId ?? null) === null);
  const toggle = (id: number): void => {
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  };
  return (
    <section className={styles.section} aria-labelledby={headingId}>
      <div className={styles.head}>
        <h2 id={headingId}>Patients</h2>
        <p role="status" className={styles.note}>
          {withoutNurse.length === 0
            ? 'Every patient has a nurse.'
            : withoutNurseText(withoutNurse.length, patients.length)}
        </p>
      </div>
      {canAssign ? (
        <BulkBar
          count={selected.length}
          withoutNurse={withoutNurse.length}
          staff={staff}
          ownId={ownId}
          onSelectWithoutNurse={() => setChosen(withoutNurse.map(({ id }) => id))}
          onClear={() => setChosen([])}
          onAssign={(role, userId) => {
            assign(
              selected.map((patient) => placesOf(patient)[role]),
              userId,
            );
            setChosen([]);
          }}
        />
      ) : null}
      <div className={`${styles.table} ant-table-wrapper wardlight ant-table-css-var`}>
        <div className="ant-table">
          <div className="ant-table-container">
            <table aria-labelledby={headingId}>
              <thead className="ant-table-thead">
                <tr>
                  {canAssign ? (
                    <th scope="col" className={`ant-table-cell ${styles.pick}`}>
                      <SelectBox
                        label="Select all patients of the unit"
                        isChecked={selected.length === patients.length}
                        isMixed={selected.length > 0 && selected.length < patients.length}
                        onChange={() => {
                          setChosen(selected.length === patients.length ? [] : patients.map(({ id }) => id));
                        }}
                      />
                    </th>
                  ) : null}
                  <th scope="col" className={`ant-table-cell ${styles.bed}`}>
                    Bed
                  </th>
                  <th scope="col" className="ant-table-cell">
                    Patient
                  </th>
                  {patientRoles.map((role) => (
                    <th key={role} scope="col" className={`ant-table-cell ${styles.role}`}>
                      {assignmentRoleLabels[role]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody className="ant-table-tbody">
                {patients.map((patient) => (
                  <tr
                    key={patient.id}
                    className={chosen.includes(patient.id) ? 'ant-table-row ant-table-row-selected' : 'ant-table-row'}
                  >
                    {canAssign ? (
                      <td className={`ant-table-cell ${styles.pick}`}>
                        <SelectBox
                          label={`Select ${patientName(patient)}, MRN ${patient.mrn}`}
                          isChecked={chosen.includes(patient.id)}
                          onChange={() => toggle(patient.id)}
                        />
                      </td>
                    ) : null}
                    <td className={`ant-table-cell ${styles.bed}`}>{patient.bed ?? 'No bed'}</td>
                    <th scope="row" className="ant-table-cell">
                      <PatientName patient={patient} />
                      <span className={styles.identifiers}>
                        {formatCalendarDate(patient.dateOfBirth)} · MRN {patient.mrn}
                      </span>
                    </th>
                    <Holders
                      patient={patient}
                      drafts={drafts}
                      staff={staff}
                      ownId={ownId}
                      timeZone={timeZone}
                      assign={canAssign ? assign : undefined}
                    />
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </div>
      </div>
    </section>
  );
}

function withoutNurseText(count: number, total: number): string {
  return `${count} of ${total} ${total === 1 ? 'patient has' : 'patients have'} no nurse.`;
}

interface HoldersProps extends Pick<AssignmentsTableProps, 'staff' | 'drafts' | 'ownId' | 'timeZone'> {
  patient: AssignedPatient;
  assign: Assigning['assign'] | undefined;
}

function Holders({ patient, drafts, assign, ...shared }: HoldersProps) {
  const places = useMemo(() => placesOf(patient), [patient]);
  return patientRoles.map((role) => (
    <td key={role} className={`ant-table-cell ${styles.role}`}>
      <HolderCell
        place={places[role]}
        holder={patient.holders[role]}
        draft={drafts.get(placeOf(places[role]))}
        onAssign={assign}
        {...shared}
      />
    </td>
  ));
}
