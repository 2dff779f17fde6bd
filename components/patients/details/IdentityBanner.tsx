import type { ReactNode } from 'react';
import type { Patient } from '../../../lib/patients/schema';
import { placeText } from '../../../lib/patients/placeText';
import { ageInYears, formatCalendarDate } from '../../../lib/time/formatTime';
import { patientName } from '../../ui/PatientName';
import styles from './IdentityBanner.module.css';
import { PauseMarks } from './PauseMarks';

interface IdentityBannerProps {
  patient: Patient;
  /** The server's time, epoch milliseconds. */
  now: number;
  timeZone: string;
}

const sexLabels = { female: 'Female', male: 'Male', other: 'Other', unknown: 'Not recorded' } as const satisfies Record<
  Patient['sex'],
  string
>;
const profileLabels = { continuous: 'Continuous', home: 'At home, spot checks' } as const satisfies Record<
  Patient['profile'],
  string
>;

/** Name, date of birth and MRN together, because a bed identifies no patient. */
export function IdentityBanner({ patient, now, timeZone }: IdentityBannerProps) {
  const { dateOfBirth } = patient;
  return (
    <header className={styles.banner}>
      <h2 className={styles.name}>{patientName(patient)}</h2>
      {patient.state === 'discharged' ? <strong className={styles.mark}>Discharged</strong> : null}
      <PauseMarks patient={patient} initialNow={now} />
      <dl className={styles.facts}>
        <Fact term="Born">
          {formatCalendarDate(dateOfBirth)} ({ageInYears(dateOfBirth, now, timeZone)} y)
        </Fact>
        <Fact term="MRN">{patient.mrn}</Fact>
        <Fact term="Sex">{sexLabels[patient.sex]}</Fact>
        <Fact term="Place">{placeText(patient)}</Fact>
        <Fact term="Monitoring">{profileLabels[patient.profile]}</Fact>
        <Fact
          term={
            <>
              SpO<sub>2</sub> scale
            </>
          }
        >
          {patient.spo2Scale === 1 ? '1 (target 94–98 %)' : '2 (target 88–92 %)'}
        </Fact>
      </dl>
    </header>
  );
}

function Fact({ term, children }: { term: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
