import type { Counts } from '../../lib/alerts/alarmBudget';
import { priorities } from '../../lib/alerts/priority';
import styles from './budget.module.css';
import { percent, rate, sumOf } from './budgetWords';
import history from './history.module.css';

interface NoisyItem {
  key: string;
  name: string;
  /** Where it is; empty: nothing more. */
  more: string;
  counts: Counts;
  share: number;
  perDay: number | null;
  /** Shows its alerts; null: the reader may not. */
  onShow: (() => void) | null;
}

/** Where the alerts come from, the most first; the bars are of one scale. */
export function Noisiest({ title, items }: { title: string; items: readonly NoisyItem[] }) {
  const most = Math.max(...items.map(({ counts }) => sumOf(counts)), 1);
  return (
    <section className={styles.card} aria-label={title}>
      <h2>{title}</h2>
      {items.length === 0 ? <p className={history.quiet}>No alerts in this time.</p> : null}
      <ol className={styles.noisy}>
        {items.map(({ key, name, more, counts, share, perDay, onShow }) => (
          <li key={key}>
            <span className={styles.name}>
              {onShow === null ? (
                name
              ) : (
                <button type="button" className={styles.plain} onClick={onShow}>
                  {name}
                </button>
              )}
              {more === '' ? null : <span className={history.line}>{more}</span>}
            </span>
            <span className={styles.row} aria-hidden="true">
              {priorities
                .filter((priority) => counts[priority] > 0)
                .map((priority) => (
                  <span
                    key={priority}
                    className={styles[priority]}
                    style={{ width: `${(counts[priority] / most) * 100}%` }}
                  />
                ))}
            </span>
            <span className={styles.count}>
              {sumOf(counts)} <span className={history.quiet}>({percent(share)})</span>
              {perDay === null ? null : <span className={history.line}>{rate(perDay)} a day</span>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
