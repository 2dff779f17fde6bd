import type { Budget, Waits } from '../../lib/alerts/historySchema';
import { priorities, priorityLabels } from '../../lib/alerts/priority';
import { waitWords } from '../../lib/alerts/waitWords';
import styles from './budget.module.css';

/** How long alerts waited: a dark bar to the median, a light one to the ninetieth percentile, on one scale. */
export function ResponseBars({ responses }: Pick<Budget, 'responses'>) {
  const most = Math.max(
    ...priorities.flatMap((priority) => {
      const { acknowledged, accepted } = responses[priority];
      return [acknowledged.p90Ms ?? 0, accepted.p90Ms ?? 0];
    }),
    1,
  );
  return (
    <section className={styles.card} aria-label="Time to answer">
      <div className={styles.cardHead}>
        <h2>Time to answer</h2>
        <span className={styles.more}>From the first raise, of the alerts that got an answer</span>
      </div>
      <table className={styles.waits}>
        <thead>
          <tr>
            <th scope="col">Priority</th>
            <th scope="col">Answer</th>
            <th scope="col">
              <span className="visually-hidden">Bar</span>
            </th>
            <th scope="col">Half within</th>
            <th scope="col">9 of 10 within</th>
            <th scope="col">Answered</th>
            <th scope="col">Reached step 2</th>
          </tr>
        </thead>
        <tbody>
          {priorities.flatMap((priority) => {
            const { alerts, acknowledged, accepted, reachedStep2 } = responses[priority];
            const step = priority === 'low' ? 'asks no steps' : `${reachedStep2} of ${alerts}`;
            return [
              <WaitRow
                key={`${priority} 1`}
                priority={priorityLabels[priority]}
                isFirst
                what="Acknowledged"
                waits={acknowledged}
                alerts={alerts}
                most={most}
                step={step}
              />,
              <WaitRow
                key={`${priority} 2`}
                priority={priorityLabels[priority]}
                isFirst={false}
                what="Taken"
                waits={accepted}
                alerts={alerts}
                most={most}
                step=""
              />,
            ];
          })}
        </tbody>
      </table>
    </section>
  );
}

interface WaitRowProps {
  priority: string;
  /** The first row of the priority, which shows its name. */
  isFirst: boolean;
  what: string;
  waits: Waits;
  alerts: number;
  /** The longest bar, in milliseconds. */
  most: number;
  step: string;
}

function WaitRow({ priority, isFirst, what, waits: { count, medianMs, p90Ms }, alerts, most, step }: WaitRowProps) {
  const width = (ms: number): string => `${(ms / most) * 100}%`;
  return (
    <tr>
      <th scope="row">{isFirst ? priority : <span className="visually-hidden">{priority}</span>}</th>
      <td>{what}</td>
      <td aria-hidden="true">
        <span className={styles.range}>
          {/* What is unknown has no bar: its edge alone would look like a short wait. */}
          {p90Ms === null ? null : <span className={styles.p90} style={{ width: width(p90Ms) }} />}
          {medianMs === null ? null : <span className={styles.median} style={{ width: width(medianMs) }} />}
        </span>
      </td>
      <td>{waitWords(medianMs)}</td>
      <td>{waitWords(p90Ms)}</td>
      <td>
        {count} of {alerts}
      </td>
      <td>{step}</td>
    </tr>
  );
}
