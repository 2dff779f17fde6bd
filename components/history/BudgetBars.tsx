import type { Counts } from '../../lib/alerts/alarmBudget';
import type { Budget } from '../../lib/alerts/historySchema';
import { priorities, priorityLabels } from '../../lib/alerts/priority';
import { formatDate, formatTime } from '../../lib/time/formatTime';
import styles from './budget.module.css';
import { rate, sumOf } from './budgetWords';

interface BudgetBarsProps {
  budget: Pick<Budget, 'steps'>;
  /** A bar a day, of alerts per patient and day; else a bar an hour, of alerts. */
  isByDay: boolean;
  timeZone: string;
}

/** A bar for each hour or day. The alarm colours are for alarms: priorities are dark, medium and outlined here. */
export function BudgetBars({ budget: { steps }, isByDay, timeZone }: BudgetBarsProps) {
  const bars = steps.map((step) => ({
    key: step.from,
    label: isByDay
      ? formatDate(Date.parse(step.from), timeZone).slice(0, 6)
      : formatTime(Date.parse(step.from), timeZone),
    parts: isByDay ? step.perDay : step.patientDays === 0 ? null : step.counts,
  }));
  const most = Math.max(...bars.map(({ parts }) => (parts === null ? 0 : sumOf(parts))), 0);
  const title = isByDay ? 'Alerts per patient and day' : 'Alerts by hour';
  const text = (value: number): string => (isByDay ? rate(value) : String(value));
  return (
    <section className={styles.card} aria-label={title}>
      <div className={styles.cardHead}>
        <h2>{title}</h2>
        <Legend />
      </div>
      <ol className={styles.bars} data-many={bars.length > 16 ? '' : undefined}>
        {bars.map(({ key, label, parts }, place) => (
          <li key={key}>
            <span className="visually-hidden">{`${label}: ${wordsOf(parts, text)}`}</span>
            <span className={styles.number} aria-hidden="true">
              {parts === null ? '--' : sumOf(parts) === 0 && !isByDay ? '' : text(sumOf(parts))}
            </span>
            <span className={parts === null ? `${styles.column} ${styles.unknown}` : styles.column} aria-hidden="true">
              {parts === null
                ? null
                : priorities
                    .filter((priority) => parts[priority] > 0)
                    .map((priority) => (
                      <span
                        key={priority}
                        className={styles[priority]}
                        style={{ height: `${(parts[priority] / most) * 100}%` }}
                      />
                    ))}
            </span>
            <span className={styles.label} aria-hidden="true">
              {bars.length > 16 && place % 3 !== 0 ? '' : label}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Legend() {
  return (
    <ul className={styles.legend}>
      {priorities.map((priority) => (
        <li key={priority}>
          <span className={`${styles.swatch} ${styles[priority]}`} aria-hidden="true" />
          {priorityLabels[priority]}
        </li>
      ))}
    </ul>
  );
}

function wordsOf(parts: Counts | null, text: (value: number) => string): string {
  return parts === null
    ? 'no patients'
    : priorities.map((priority) => `${priorityLabels[priority].toLowerCase()} ${text(parts[priority])}`).join(', ');
}
