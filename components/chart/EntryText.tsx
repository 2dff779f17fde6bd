import { entryWords, type ChartEntry } from '../../lib/chart/entryWords';
import styles from './chart.module.css';
import { markWords, writtenByWords } from './courseWords';

interface EntryTextProps {
  entry: ChartEntry;
  /** The entry that corrects this one. */
  correction?: ChartEntry;
  timeZone: string;
}

/** What an entry says, its author, time and source. What was entered in error is struck, and stays readable. */
export function EntryText({ entry, correction, timeZone }: EntryTextProps) {
  const words = entryWords(entry, timeZone);
  const isError = entry.status === 'entered_in_error';
  const course = markWords(entry, timeZone);
  return (
    <div className={styles.entry} data-status={entry.status}>
      <p className={styles.words}>{isError ? <s>{words}</s> : words}</p>
      <p className={styles.quiet}>{writtenByWords(entry, timeZone)}</p>
      {entry.reason === null ? null : <p className={styles.quiet}>Reason: {entry.reason}</p>}
      {course === null ? null : <p className={styles.quiet}>{course}</p>}
      {correction === undefined ? null : (
        <p className={styles.quiet}>
          Replaced by: {writtenByWords(correction, timeZone)}
          {correction.reason === null ? null : `. ${correction.reason}`}
        </p>
      )}
    </div>
  );
}
