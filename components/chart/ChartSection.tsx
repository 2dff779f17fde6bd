import { Button } from 'antd';
import type { ReactNode } from 'react';
import type { ChartEntry } from '../../lib/chart/entryWords';
import styles from './chart.module.css';
import { EntryText } from './EntryText';

interface ChartSectionProps {
  /** Its name in the chart. */
  section: string;
  title: string;
  /** All of the section, the newest first. */
  entries: readonly ChartEntry[];
  /** What is said if there is no current entry. */
  empty: string;
  timeZone: string;
  /** What can be done in the section, beside its title. */
  actions: ReactNode;
  /** What can be done with a current entry, below it. */
  actionsOf: (entry: ChartEntry) => ReactNode;
  /** A form of the section; null: none is open. */
  form: ReactNode;
  /** The entry that the form is about, below which it is; null: a new one, below the title. */
  formAt: number | null;
  /** What happened in the section last: "Saved". */
  said: string;
}

/** A section of a chart: what is in effect, then what is no longer, folded. */
export function ChartSection(props: ChartSectionProps) {
  const { section, title, entries, empty, timeZone, actions, actionsOf, form, formAt, said } = props;
  const current = entries.filter(({ status }) => status === 'current');
  const past = entries.filter(({ status }) => status !== 'current');
  const isAbout = (entry: ChartEntry): boolean => formAt !== null && isOrReplaces(entry, formAt, entries);
  // Where the entry ended meanwhile, what is typed stays.
  const isAlone = formAt !== null && form !== null && !current.some(isAbout);
  return (
    // The keyboard comes back here when a form closes.
    <section className={styles.section} aria-label={title} tabIndex={-1} data-section={section}>
      <div className={styles.head}>
        <h3>{title}</h3>
        <p className={styles.said} role="status">
          {said}
        </p>
        <div className={styles.row}>{actions}</div>
      </div>
      {formAt === null ? form : null}
      {current.length === 0 ? <p className={styles.empty}>{empty}</p> : null}
      {current.length === 0 && !isAlone ? null : (
        <ul className={styles.entries}>
          {current.map((entry) => (
            // The form keeps what is typed when another user's entry takes the place of its own.
            <li key={isAbout(entry) ? 'about' : entry.id} tabIndex={-1} data-entry={entry.id}>
              <EntryText entry={entry} timeZone={timeZone} />
              <div className={styles.row}>{actionsOf(entry)}</div>
              {isAbout(entry) ? form : null}
            </li>
          ))}
          {isAlone ? (
            <li key="about">
              {null}
              {null}
              {form}
            </li>
          ) : null}
        </ul>
      )}
      {past.length === 0 ? null : (
        <details>
          <summary>History ({past.length})</summary>
          <ul className={styles.entries}>
            {past.map((entry) => (
              <li key={entry.id}>
                <EntryText
                  entry={entry}
                  correction={entries.find(({ replaces }) => replaces === entry.id)}
                  timeZone={timeZone}
                />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** Returns whether an entry is the one with this id, or corrects it, directly or over others. */
function isOrReplaces({ id, replaces }: ChartEntry, sought: number, entries: readonly ChartEntry[]): boolean {
  const former = entries.find((entry) => entry.id === replaces);
  return id === sought || replaces === sought || (former !== undefined && isOrReplaces(former, sought, entries));
}

interface EntryButtonProps {
  /** What it does, and of what, for users who hear it. */
  label: string;
  about: string;
  isOff: boolean;
  onPress: () => void;
}

/** A button in a chart. While it can do nothing it stays where it is, and keeps the keyboard. */
export function EntryButton({ label, about, isOff, onPress }: EntryButtonProps) {
  return (
    <Button
      aria-disabled={isOff}
      className={isOff ? styles.off : undefined}
      title={isOff ? 'Save or cancel the open form first' : undefined}
      onClick={isOff ? undefined : onPress}
    >
      {label}
      <span className="visually-hidden"> {about}</span>
    </Button>
  );
}
