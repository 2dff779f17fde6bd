import { Button } from 'antd';
import type { ReactNode } from 'react';
import type { ChartEntry } from '../../lib/chart/entryWords';
import styles from './chart.module.css';
import { EntryText } from './EntryText';

interface ChartSectionProps {
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
  /** A form in the section, below its title. */
  form: ReactNode;
}

/** A section of a chart: what holds, then what does not hold any more, folded. */
export function ChartSection({ title, entries, empty, timeZone, actions, actionsOf, form }: ChartSectionProps) {
  const current = entries.filter(({ status }) => status === 'current');
  const past = entries.filter(({ status }) => status !== 'current');
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.head}>
        <h3>{title}</h3>
        <div className={styles.row}>{actions}</div>
      </div>
      {form}
      {current.length === 0 ? <p className={styles.empty}>{empty}</p> : null}
      {current.length === 0 ? null : (
        <ul className={styles.entries}>
          {current.map((entry) => (
            <li key={entry.id}>
              <EntryText entry={entry} timeZone={timeZone} />
              <div className={styles.row}>{actionsOf(entry)}</div>
            </li>
          ))}
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
