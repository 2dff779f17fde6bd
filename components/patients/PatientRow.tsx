import { memo, type MouseEvent, type ReactNode } from 'react';
import type { ListedPatient } from '../../hooks/usePatients';
import type { PatientSparks } from '../../hooks/useSparks';
import { numberMark } from '../../lib/alerts/numberMark';
import { bedlessText } from '../../lib/patients/bedlessText';
import { pauseWords } from '../../lib/patients/pauseWords';
import type { Patient } from '../../lib/patients/schema';
import { silentGatewayWords } from '../../lib/patients/silentGatewayWords';
import { formatCalendarDate } from '../../lib/time/formatTime';
import { markTexts, SymptomMark, type MarkTexts } from '../symptoms/SymptomMark';
import { PatientName, patientName } from '../ui/PatientName';
import { SelectBox } from '../ui/SelectBox';
import { AlertCell } from './AlertCell';
import { RateValue, Spo2Value } from './LiveVitals';
import { News2Cell } from './News2Cell';
import styles from './PatientsTable.module.css';

interface PatientRowProps {
  patient: ListedPatient;
  /** The same patient's spark lines; undefined while they are not known. */
  sparks: PatientSparks | undefined;
  /** How many notes about the patient the user has not read. */
  unread: number;
  isSelected: boolean;
  /** The walkthrough points at this row. */
  isForTour: boolean;
  onToggle: (id: number) => void;
  /** The server's time, and since when it has not responded, epoch milliseconds. */
  now: number;
  serverLost: number | null;
  timeZone: string;
  /** When the site's day began, epoch milliseconds. */
  todayFrom: number;
}

/** Returns where to find a patient in one short line, the bed first: "S3 · Step-down 2". */
function bedText({ location, profile }: Pick<Patient, 'location' | 'profile'>): string {
  if (location !== null) {
    return `${location.bed} · ${location.unit}`;
  }
  return bedlessText(profile);
}

/** One patient: where and who, the most urgent alert, newest values and their ages. */
export const PatientRow = memo(function PatientRow({
  patient,
  unread,
  isSelected,
  isForTour,
  onToggle,
  todayFrom,
  ...shown
}: PatientRowProps) {
  const { id, familyName, givenName, isTrial, mrn, dateOfBirth, profile, alerts } = patient;
  const onClick = ({ target }: MouseEvent): void => {
    // The name is a link and the checkbox toggles by itself.
    if (target instanceof Element && target.closest('a, label, button, input') === null) {
      onToggle(id);
    }
  };
  return (
    <tr
      role="row"
      className={isSelected ? 'ant-table-row ant-table-row-selected' : 'ant-table-row'}
      data-priority={alerts[0]?.priority}
      data-tour={isForTour ? 'patient-row' : undefined}
      data-patient={isForTour ? id : undefined}
      onClick={onClick}
    >
      <Identity
        id={id}
        familyName={familyName}
        givenName={givenName}
        isTrial={isTrial}
        dateOfBirth={dateOfBirth}
        mrn={mrn}
        bed={bedText(patient)}
        note={patient.isGone === true ? 'No longer in this list' : noteOf(patient, shown)}
        unread={patient.isGone === true ? 0 : unread}
        symptoms={patient.symptoms === null ? null : markTexts(patient.symptoms, shown.now, todayFrom, shown.timeZone)}
        isSelected={isSelected}
        onToggle={onToggle}
      />
      <Cell of="alert">
        <AlertCell patient={patient} now={shown.now} serverLost={shown.serverLost} timeZone={shown.timeZone} />
      </Cell>
      <Cell of="vital">{patient.isGone === true ? null : <Spo2Value patient={patient} {...shown} />}</Cell>
      <Cell of="vital">{patient.isGone === true ? null : <RateValue patient={patient} {...shown} />}</Cell>
      <Cell of="news2">
        <News2Cell
          patient={patient}
          mark={numberMark(alerts, 'news2', {}, shown.now)}
          now={shown.now}
          serverLost={shown.serverLost}
          timeZone={shown.timeZone}
        />
      </Cell>
      <Cell of="profile">{profile === 'home' ? 'Home' : 'Continuous'}</Cell>
    </tr>
  );
});

/** Returns why no values come and which alerts are paused, the first first; null: neither. */
function noteOf(
  patient: Patient,
  { now, serverLost, timeZone }: Pick<PatientRowProps, 'now' | 'serverLost' | 'timeZone'>,
): string | null {
  const notes = [
    silentGatewayWords(patient, now, timeZone),
    pauseWords(patient, now, serverLost === null ? null : timeZone),
  ].filter((note) => note !== null);
  return notes.length === 0 ? null : notes.join(' · ');
}

interface IdentityProps
  extends
    Pick<PatientRowProps, 'isSelected' | 'onToggle'>,
    Pick<Patient, 'id' | 'familyName' | 'givenName' | 'isTrial' | 'mrn' | 'dateOfBirth'> {
  bed: string;
  /** That the patient is gone, or `noteOf`. */
  note: string | null;
  unread: number;
  /** The newest report of symptoms; null: there is none. */
  symptoms: MarkTexts | null;
}

/** The cells that stay the same while the values beside them change. */
const Identity = memo(function Identity({
  mrn,
  dateOfBirth,
  bed,
  note,
  unread,
  symptoms,
  isSelected,
  onToggle,
  ...patient
}: IdentityProps) {
  const name = patientName(patient);
  const notes = [note, unread === 0 ? null : `${unread} unread ${unread === 1 ? 'note' : 'notes'}`];
  const words = notes.filter((each) => each !== null).join(' · ');
  return (
    <>
      <Cell of="pick">
        <SelectBox label={`Select ${name}, MRN ${mrn}`} isChecked={isSelected} onChange={() => onToggle(patient.id)} />
      </Cell>
      <Cell of="place" title={bed}>
        {bed}
      </Cell>
      <Cell of="name" title={words === '' ? name : `${name} · ${words}`}>
        {symptoms === null ? (
          <PatientName patient={patient} />
        ) : (
          <span className={styles.named}>
            <PatientName patient={patient} />
            <SymptomMark {...symptoms} />
          </span>
        )}
        {words === '' ? null : <small className={styles.pause}>{words}</small>}
      </Cell>
      <Cell of="ids" title={mrn}>
        <span className={styles.birth} data-birth="">
          {formatCalendarDate(dateOfBirth)}
        </span>
        <span className="visually-hidden"> </span>
        <span className={styles.mrn}>{mrn}</span>
      </Cell>
    </>
  );
}, isSameIdentity);

/** Every second brings new texts of the symptoms, which rarely say something else. */
function isSameIdentity({ symptoms: before, ...one }: IdentityProps, { symptoms: after, ...other }: IdentityProps) {
  return (
    isShallowEqual(one, other) &&
    (before === after || (before !== null && after !== null && isShallowEqual(before, after)))
  );
}

function isShallowEqual<Props extends object>(one: Props, other: Props): boolean {
  return (Object.keys(one) as (keyof Props)[]).every((key) => Object.is(one[key], other[key]));
}

/** `of` is the column, which sets the width: each row is laid out by itself. */
function Cell({ of, title, children }: { of: string; title?: string; children: ReactNode }) {
  return (
    <td role="cell" className={`ant-table-cell ${styles[of]}`} title={title}>
      {children}
    </td>
  );
}
