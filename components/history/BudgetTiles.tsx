import type { ReactNode } from 'react';
import { leastHours } from '../../lib/alerts/alarmBudget';
import type { Budget } from '../../lib/alerts/historySchema';
import { priorities, priorityLabels } from '../../lib/alerts/priority';
import styles from './budget.module.css';
import { percent, rate, sumOf } from './budgetWords';

/** The numbers of the whole time. */
export function BudgetTiles({ budget }: { budget: Budget }) {
  const { perDay, alerts, patients, patientDays, reachedStep2, topTenth } = budget;
  return (
    <dl className={styles.tiles}>
      <Tile label="Alerts per patient and day" value={perDay === null ? '--' : rate(sumOf(perDay))}>
        {perDay === null
          ? `Too little data: a rate needs ${leastHours} hours.`
          : priorities.map((priority) => `${priorityLabels[priority]} ${rate(perDay[priority])}`).join(' · ')}
      </Tile>
      <Tile label="Alerts" value={String(alerts)}>
        {`${patients} ${patients === 1 ? 'patient' : 'patients'}, ${rate(patientDays)} patient-days`}
      </Tile>
      <Tile label="Reached step 2" value={percent(reachedStep2)}>
        Of high and medium ones: the first two calls had no answer
      </Tile>
      <Tile label="From the noisiest tenth" value={percent(topTenth?.share ?? null)}>
        {topTenth === null
          ? 'No alerts'
          : `${topTenth.patients} ${topTenth.patients === 1 ? 'patient' : 'patients'} of ${patients}`}
      </Tile>
    </dl>
  );
}

function Tile({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    <div className={styles.tile}>
      <dt>{label}</dt>
      <dd className={styles.value}>{value}</dd>
      <dd className={styles.more}>{children}</dd>
    </div>
  );
}
