import Link from 'next/link';
import type { OwnNotes } from '../../hooks/useOwnNotes';
import { noteTypes } from '../../lib/notes/noteTypes';
import { paths } from '../../lib/paths';
import type { Patient } from '../../lib/patients/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { Icon } from '../ui/Icon';
import { patientName } from '../ui/PatientName';
import styles from './StartScreen.module.css';

/** A draft of this age is named to its author, in milliseconds (clinical.md section 5). */
const oldAfterMs = 24 * 3_600_000;

interface NotesCardProps {
  notes: OwnNotes;
  /** All active patients that the user sees. */
  patients: readonly Patient[];
  /** The server's time, epoch milliseconds. */
  now: EpochMs;
  timeZone: string;
}

/** How many notes the user has not read, and which of their own they have begun and not signed for a day. */
export function NotesCard({ notes: { isKnown, unread, drafts }, patients, now, timeZone }: NotesCardProps) {
  const count = [...unread.values()].reduce((sum, each) => sum + each, 0);
  const old = drafts.filter(({ writtenAt }) => now - Date.parse(writtenAt) >= oldAfterMs);
  return (
    <section className={styles.card} aria-labelledby="notes">
      <h2 id="notes">Notes</h2>
      <p className={styles.number}>{isKnown ? count : '–'}</p>
      <p className={styles.quiet}>
        {!isKnown
          ? 'Not known at the moment'
          : count === 0
            ? 'You have read the notes about all patients.'
            : `unread, about ${unread.size} ${unread.size === 1 ? 'patient' : 'patients'}. The list marks them.`}
      </p>
      {old.map(({ id, patientId, type, writtenAt }) => {
        const patient = patients.find((each) => each.id === patientId);
        return patient === undefined ? null : (
          <Link key={id} href={paths.patientDetails([patientId])} prefetch={false} className={styles.way}>
            Unsigned draft: {patientName(patient)}, MRN {patient.mrn}, {noteTypes[type]},{' '}
            {formatDayAndTime(Date.parse(writtenAt), timeZone)}
          </Link>
        );
      })}
      <Link href={paths.patients} prefetch={false} className={styles.way}>
        <Icon name="patients" />
        Open the list
      </Link>
    </section>
  );
}
