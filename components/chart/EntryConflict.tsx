import { Button } from 'antd';
import { writtenWords } from '../../lib/chart/entryWords';
import { writtenValue, type WrittenEntry } from '../../lib/chart/schema';
import { safeParse } from '../../lib/safeParse';
import styles from './chart.module.css';
import { markWords, writtenByWords } from './courseWords';

interface EntryConflictProps {
  /** The entry as another user has left it. */
  theirs: WrittenEntry;
  /** What was sent and not stored: a section and its value. */
  mine: { section: string; value?: unknown; reason?: unknown };
  /** The chart with their change has arrived, so that the next attempt is made knowing it. */
  isRead: boolean;
  timeZone: string;
  /** Goes on with what is typed: as a correction of theirs, or as an entry of its own if theirs holds no more. */
  onUse: () => void;
  onDrop: () => void;
}

/** Two people have changed the same: both versions, side by side, and a choice between them. */
export function EntryConflict({ theirs, mine, isRead, timeZone, onUse, onDrop }: EntryConflictProps) {
  const parsed = safeParse(writtenValue, { section: mine.section, value: mine.value });
  const course = markWords(theirs, timeZone);
  return (
    <div className={styles.conflict}>
      <p>
        <strong>Not saved: another user has changed this in the meantime.</strong>
      </p>
      <div className={styles.versions}>
        <section aria-label="Theirs">
          <h4>Theirs</h4>
          <p className={styles.words}>
            <strong>{writtenWords(theirs)}</strong>
          </p>
          <p className={styles.quiet}>{writtenByWords(theirs, timeZone)}</p>
          {theirs.reason === null ? null : <p className={styles.quiet}>Reason: {theirs.reason}</p>}
          {course === null ? null : <p>{course}</p>}
        </section>
        <section aria-label="Mine">
          <h4>Mine, not saved</h4>
          <p className={styles.words}>
            <strong>{parsed.success ? writtenWords(parsed.data) : 'As typed above'}</strong>
          </p>
          {typeof mine.reason === 'string' ? <p className={styles.quiet}>Reason: {mine.reason}</p> : null}
        </section>
      </div>
      <div className={styles.row}>
        <Button disabled={!isRead} onClick={onUse}>
          {theirs.status === 'current' ? 'Correct theirs with mine' : 'Add mine as a new entry'}
        </Button>
        <Button onClick={onDrop}>Drop mine</Button>
      </div>
    </div>
  );
}
