import { memo, useState, type ReactNode } from 'react';
import type { PatientSparks, Sparks } from '../../hooks/useSparks';
import type { Patient } from '../../lib/patients/schema';
import { silentGatewayWords } from '../../lib/patients/silentGatewayWords';
import { formatCalendarDate } from '../../lib/time/formatTime';
import { LiveRate, LiveSpo2 } from '../patients/LiveVitals';
import { SymptomCell } from '../symptoms/SymptomCell';
import { patientName, PatientName } from '../ui/PatientName';
import { placeText } from '../../lib/patients/placeText';
import { VitalLabel } from '../ui/VitalLabel';
import styles from './ReportingTable.module.css';

interface ReportingTableProps {
  title: string;
  /** What these patients have in common and what to check, in a sentence. */
  why: ReactNode;
  patients: readonly Patient[];
  sparks: Sparks['byPatient'] | undefined;
  /** How many rows are shown before a user asks for all. */
  atFirst: number;
  initialNow: number;
  timeZone: string;
}

/** One group of the dashboard. Each row has two identifiers, the place and both values with their ages. */
export function ReportingTable({ title, why, patients, sparks, atFirst, initialNow, timeZone }: ReportingTableProps) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? patients : patients.slice(0, atFirst);
  return (
    <div
      className={shown.length > longFrom ? `${styles.group} ${styles.long}` : styles.group}
      style={{ containIntrinsicBlockSize: `auto ${roughHeight(shown.length)}px` }}
    >
      <table className={styles.table}>
        <caption className={styles.caption}>
          <strong>
            {title} <span className={styles.count}>{patients.length}</span>
          </strong>
          <span className={styles.why}>{why}</span>
        </caption>
        <thead>
          <tr>
            <th scope="col" className={styles.bed}>
              Place
            </th>
            <th scope="col" className={styles.who}>
              Patient
            </th>
            <th scope="col" className={styles.identifiers}>
              Date of birth, MRN
            </th>
            <th scope="col" className={styles.vital}>
              <VitalLabel kind="spo2" />
            </th>
            <th scope="col" className={styles.vital}>
              HR
            </th>
            <th scope="col" className={styles.symptoms}>
              Symptoms
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((patient) => (
            <Row
              key={patient.id}
              patient={patient}
              sparks={sparks?.get(patient.id)}
              initialNow={initialNow}
              timeZone={timeZone}
            />
          ))}
        </tbody>
      </table>
      {patients.length > atFirst ? (
        <button type="button" className={styles.more} aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? `Show the first ${atFirst} only` : `Show all ${patients.length}`}
        </button>
      ) : null}
    </div>
  );
}

/** Fewer rows are laid out fast enough. */
const longFrom = 8;

/** Pixels, of a table that has not been laid out yet: caption, head, rows and button. */
const roughHeight = (rows: number): number => 104 + 44 * rows;

interface RowProps {
  patient: Patient;
  sparks: PatientSparks | undefined;
  initialNow: number;
  timeZone: string;
}

/** Renders again only when the patient's data change; the values inside age by themselves. */
const Row = memo(function Row({ patient, ...shown }: RowProps) {
  const silent = silentGatewayWords(patient, shown.initialNow, shown.timeZone);
  return (
    <tr>
      <td className={styles.bed} title={placeText(patient)}>
        {placeText(patient)}
      </td>
      <th scope="row" className={styles.who} title={patientName(patient)}>
        <PatientName patient={patient} />
        {silent === null ? null : (
          <small className={styles.silent} title={silent}>
            {silent}
          </small>
        )}
      </th>
      <td className={styles.identifiers}>
        <span>{formatCalendarDate(patient.dateOfBirth)}</span>
        <span title={patient.mrn}>MRN {patient.mrn}</span>
      </td>
      <td className={styles.vital}>
        <div className={styles.value}>
          <span className={styles.railName}>
            <VitalLabel kind="spo2" />{' '}
          </span>
          <LiveSpo2 patient={patient} {...shown} />
        </div>
      </td>
      <td className={styles.vital}>
        <div className={styles.value}>
          <LiveRate patient={patient} {...shown} />
        </div>
      </td>
      <td className={styles.symptoms}>
        <SymptomCell patient={patient} initialNow={shown.initialNow} timeZone={shown.timeZone} />
      </td>
    </tr>
  );
});
