import Link from 'next/link';
import { useHeld } from '../../hooks/useHeld';
import type { OwnNotes } from '../../hooks/useOwnNotes';
import { paths } from '../../lib/paths';
import type { Patient } from '../../lib/patients/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { Age } from '../ui/Age';
import { patientName } from '../ui/PatientName';
import styles from './StartScreen.module.css';

/** So many mentions are named; the older ones follow as these are read. */
const most = 5;

interface MentionsCardProps {
  notes: OwnNotes;
  /** All active patients that the user sees. */
  patients: readonly Patient[];
  /** The server's time, epoch milliseconds. */
  now: EpochMs;
  timeZone: string;
}

/** The notes that mention the user and that they have not read, newest first. It holds still under the pointer. */
export function MentionsCard({ notes: { isKnown, mentions }, patients, now, timeZone }: MentionsCardProps) {
  const { shown, handlers } = useHeld(mentions);
  const rows = shown.flatMap((mention) => {
    const patient = patients.find(({ id }) => id === mention.patientId);
    return patient === undefined ? [] : [{ ...mention, patient }];
  });
  const older = rows.length - most;
  return (
    <section className={styles.card} aria-labelledby="mentions" {...handlers}>
      <h2 id="mentions">You were mentioned</h2>
      <p className={styles.number}>{isKnown ? rows.length : '–'}</p>
      <p className={styles.quiet}>
        {!isKnown
          ? 'Not known at the moment'
          : rows.length === 0
            ? 'You have read all notes that mention you.'
            : `in ${rows.length === 1 ? 'a note' : 'notes'} that you have not read.`}
      </p>
      {rows.slice(0, most).map(({ noteId, patient, author, at }) => (
        <Link key={noteId} href={paths.patientNote(patient.id, noteId)} prefetch={false} className={styles.way}>
          <span>
            {author}: {patientName(patient)}, MRN {patient.mrn},{' '}
            <Age since={Date.parse(at)} now={now} timeZone={timeZone} /> ago
          </span>
        </Link>
      ))}
      {older > 0 ? <p className={styles.quiet}>{older} older: they are named as you read these.</p> : null}
    </section>
  );
}
