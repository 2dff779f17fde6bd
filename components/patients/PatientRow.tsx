import { memo, type MouseEvent, type ReactNode } from 'react';
import type { PatientSparks } from '../../hooks/useSparks';
import type { Patient } from '../../lib/patients/schema';
import { formatCalendarDate } from '../../lib/time/formatTime';
import { RateValue, Spo2Value } from './LiveVitals';
import { News2Cell } from './News2Cell';
import { PatientName, patientName } from '../ui/PatientName';
import styles from './PatientsTable.module.css';
import { pauseWords } from '../../lib/patients/pauseWords';
import { placeText } from '../../lib/patients/placeText';
import { SelectBox } from '../ui/SelectBox';

interface PatientRowProps {
  patient: Patient;
  /** The same patient's spark lines; undefined while they are not known. */
  sparks: PatientSparks | undefined;
  isSelected: boolean;
  onToggle: (id: number) => void;
  /** The server's time, and since when it has not responded, epoch milliseconds. */
  now: number;
  serverLost: number | null;
  timeZone: string;
}

/** One patient: identity, newest values and their ages. */
export const PatientRow = memo(function PatientRow({ patient, isSelected, onToggle, ...shown }: PatientRowProps) {
  const { id, familyName, givenName, mrn, dateOfBirth, profile } = patient;
  const onClick = ({ target }: MouseEvent): void => {
    // The name is a link and the checkbox toggles by itself.
    if (target instanceof Element && target.closest('a, label, button, input') === null) {
      onToggle(id);
    }
  };
  return (
    <tr role="row" className={isSelected ? 'ant-table-row ant-table-row-selected' : 'ant-table-row'} onClick={onClick}>
      <Identity
        id={id}
        familyName={familyName}
        givenName={givenName}
        dateOfBirth={dateOfBirth}
        mrn={mrn}
        place={placeText(patient)}
        pause={pauseWords(patient, shown.now)}
        isSelected={isSelected}
        onToggle={onToggle}
      />
      <Cell of="vital">
        <Spo2Value patient={patient} {...shown} />
      </Cell>
      <Cell of="vital">
        <RateValue patient={patient} {...shown} />
      </Cell>
      <Cell of="news2">
        <News2Cell patient={patient} now={shown.now} serverLost={shown.serverLost} timeZone={shown.timeZone} />
      </Cell>
      <Cell of="profile">{profile === 'home' ? 'Home' : 'Continuous'}</Cell>
    </tr>
  );
});

interface IdentityProps
  extends
    Pick<PatientRowProps, 'isSelected' | 'onToggle'>,
    Pick<Patient, 'id' | 'familyName' | 'givenName' | 'mrn' | 'dateOfBirth'> {
  place: string;
  /** Which alerts of the patient are paused, and for how long; null if none. */
  pause: string | null;
}

/** The cells that stay the same while the values beside them change. All their props are texts, so memo works. */
const Identity = memo(function Identity({
  mrn,
  dateOfBirth,
  place,
  pause,
  isSelected,
  onToggle,
  ...patient
}: IdentityProps) {
  return (
    <>
      <Cell of="pick">
        <SelectBox
          label={`Select ${patientName(patient)}, MRN ${mrn}`}
          isChecked={isSelected}
          onChange={() => onToggle(patient.id)}
        />
      </Cell>
      <Cell of="name">
        <PatientName patient={patient} />
        {pause === null ? null : <small className={styles.pause}>{pause}</small>}
      </Cell>
      <Cell of="date">{formatCalendarDate(dateOfBirth)}</Cell>
      <Cell of="mrn">{mrn}</Cell>
      <Cell of="place">{place}</Cell>
    </>
  );
});

/** `of` is the column, which sets the width: each row is laid out by itself. */
function Cell({ of, children }: { of: string; children: ReactNode }) {
  return (
    <td role="cell" className={`ant-table-cell ${styles[of]}`}>
      {children}
    </td>
  );
}
