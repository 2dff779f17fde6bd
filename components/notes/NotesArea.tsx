import { startTransition, useId, type ComponentProps, type ReactNode } from 'react';
import { useLoaded } from '../../hooks/useLoaded';
import type { Patient } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { ListSkeleton } from '../ui/ListSkeleton';
import { patientName } from '../ui/PatientName';
import styles from './NotesArea.module.css';
import type { NotesTabs } from './NotesTabs';

const loadTabs = async () => (await import('./NotesTabs')).NotesTabs;

/**
 * Loaded after the page has painted: the numbers come first. What is typed is in the browser alone. A transition, which
 * `next/dynamic` has not: the form renders in slices, and not in the task that has read its code.
 */
function LaterTabs(props: ComponentProps<typeof NotesTabs>) {
  const loaded = useLoaded(loadTabs, startTransition);
  return loaded === null ? <ListSkeleton label="Notes are loading" rows={3} /> : <loaded.Part {...props} />;
}

interface NotesAreaProps {
  patient: Patient;
  user: User;
  /** The server's time at the first paint, epoch milliseconds. */
  now: number;
  /** How many of the notes the user has not read. */
  unread: number;
  /** The area was opened by a press: the keyboard goes to its text. */
  isOpened?: boolean;
  /** Beside the heading. */
  children?: ReactNode;
}

/** What clinicians write about one patient, under the patient's name. */
export function NotesArea({ patient, user, now, unread, isOpened = false, children }: NotesAreaProps) {
  const id = useId();
  return (
    <section className={styles.area} aria-labelledby={id} aria-describedby={`${id}-name`} data-tour="notes">
      <header className={styles.head}>
        <h2 id={id} className={styles.title}>
          Notes
        </h2>
        {unread === 0 ? null : <strong className={styles.unread}>{unread} unread</strong>}
        <span id={`${id}-name`} className={styles.name}>
          {patientName(patient)}
        </span>
        {children}
      </header>
      {/* Another patient or user is another panel: it keeps nothing of the last one. */}
      <LaterTabs key={`${user.id} ${patient.id}`} patient={patient} user={user} now={now} isOpened={isOpened} />
    </section>
  );
}
