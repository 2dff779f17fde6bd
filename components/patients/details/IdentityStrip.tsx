import Link from 'next/link';
import type { ReactNode } from 'react';
import type { ChartMarks } from '../../../lib/alerts/chartMarksSchema';
import type { Patient } from '../../../lib/patients/schema';
import { placeText } from '../../../lib/patients/placeText';
import { paths } from '../../../lib/paths';
import { ageInYears, formatCalendarDate } from '../../../lib/time/formatTime';
import { patientName } from '../../ui/PatientName';
import styles from './IdentityStrip.module.css';

interface IdentityStripProps {
  patient: Patient;
  /** The SpO2 target; undefined while it is not known. */
  target: ChartMarks['target'] | undefined;
  /** The server's time, epoch milliseconds. */
  now: number;
  timeZone: string;
  /** Little room: several patients side by side. */
  isCompact: boolean;
  /** Whether the user can write to the patient's care team. */
  canChat: boolean;
  /** Code status and allergies, if the user reads the chart, and the alarm of a device. */
  marks: ReactNode;
  /** What can be done for the patient, at the end of the strip. */
  children: ReactNode;
}

const sexLabels = {
  female: { long: 'female', short: 'F' },
  male: { long: 'male', short: 'M' },
  other: { long: 'other sex', short: 'X' },
  unknown: { long: 'sex not recorded', short: '' },
} as const satisfies Record<Patient['sex'], { long: string; short: string }>;

/**
 * Who this is, because a bed identifies no patient: the name and the MRN are always in view. Where there is little room
 * the other facts fold, the last first. It stays at the top of the window over the charts: no chart is in view without
 * its patient's name.
 */
export function IdentityStrip({
  patient,
  target,
  now,
  timeZone,
  isCompact,
  canChat,
  marks,
  children,
}: IdentityStripProps) {
  const { dateOfBirth, sex, location, mrn, state } = patient;
  const name = patientName(patient);
  const born = formatCalendarDate(dateOfBirth);
  const facts = (
    <dl className={styles.facts}>
      <Fact term="MRN" isTermShown>
        {mrn}
      </Fact>
      <Fact term="Age and sex" title={`Born ${born}`}>
        {ageInYears(dateOfBirth, now, timeZone)} y
        {isCompact ? (
          <>
            {' '}
            <span aria-hidden="true">{sexLabels[sex].short}</span>
            <span className="visually-hidden">, {sexLabels[sex].long}</span>
          </>
        ) : (
          `, ${sexLabels[sex].long}`
        )}
        <span className="visually-hidden">, born {born}</span>
      </Fact>
      <Fact term="Place" title={placeText(patient)}>
        {location === null ? (
          placeText(patient)
        ) : (
          <>
            <span className={isCompact ? 'visually-hidden' : styles.whereRoom}>{location.unit} · </span>Bed{' '}
            {location.bed}
          </>
        )}
      </Fact>
      {isCompact ? <Target target={target} isCompact /> : null}
    </dl>
  );
  return (
    <header className={styles.strip} data-compact={isCompact ? '' : undefined}>
      <div className={styles.who}>
        <div className={styles.line}>
          <h2 className={styles.name} title={name}>
            {name}
          </h2>
          {isCompact ? null : facts}
        </div>
        {isCompact ? facts : null}
        <div className={styles.line}>
          {state === 'discharged' ? <strong className={styles.mark}>Discharged</strong> : null}
          {isCompact ? null : (
            <dl className={styles.facts}>
              <Target target={target} isCompact={false} />
            </dl>
          )}
          {marks}
        </div>
      </div>
      {canChat && state === 'active' ? (
        <Link
          className={styles.action}
          href={paths.careTeamChat(patient.id)}
          prefetch={false}
          aria-label="Chat with the care team"
          title="Chat with the care team"
        >
          Chat
        </Link>
      ) : null}
      <span className={styles.actions}>{children}</span>
    </header>
  );
}

/** The range that the patient's SpO2 should be in, and whether a physician has set it. */
function Target({ target, isCompact }: Pick<IdentityStripProps, 'target' | 'isCompact'>) {
  const isDefault = target !== undefined && !target.isConfirmed;
  return (
    <Fact
      // Two words have no room in half a page: that it is only the default counts more than what it is.
      term={
        isCompact ? (
          isDefault ? (
            'Unconfirmed'
          ) : (
            'Target'
          )
        ) : isDefault ? (
          <span className={styles.byDefault}>
            <span className={styles.whereRoom}>SpO2 target</span>
          </span>
        ) : (
          <>
            <span className={styles.whereRoom}>SpO2 </span>target
          </>
        )
      }
      isTermShown
      title={isDefault ? 'SpO2 target: default, not confirmed by a physician' : 'SpO2 target'}
    >
      {target === undefined ? '--' : `${target.low}-${target.high} %`}
      {target?.scale === 2 ? isCompact ? <span className="visually-hidden"> (scale 2)</span> : ' (scale 2)' : null}
      {isDefault ? (
        <span className={isCompact ? 'visually-hidden' : `${styles.quiet} ${styles.whereRoom}`}>
          {isCompact ? ' SpO2 target, not confirmed' : ' default, not confirmed'}
        </span>
      ) : null}
    </Fact>
  );
}

interface FactProps {
  term: ReactNode;
  isTermShown?: boolean;
  title?: string;
  children: ReactNode;
}

function Fact({ term, isTermShown = false, title, children }: FactProps) {
  return (
    <div className={styles.fact} title={title}>
      <dt className={isTermShown ? styles.quiet : 'visually-hidden'}>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
