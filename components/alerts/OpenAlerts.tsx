import { useMemo, type ReactNode } from 'react';
import { useAlertActs } from '../../hooks/useAlertActs';
import { useAlerts } from '../../hooks/useAlerts';
import { useNow } from '../../hooks/useNow';
import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import type { Patient } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { can } from '../../lib/session/can';
import { AsyncView } from '../ui/AsyncView';
import { NativeButton } from '../ui/NativeButton';
import { AlertRow } from './AlertRow';
import styles from './OpenAlerts.module.css';
import { priorityWord } from './PriorityMark';
import { useHeldAlerts } from './useHeldAlerts';

interface OpenAlertsProps {
  user: User;
  /** The patients on this screen; alerts of others are only counted. */
  patients: readonly Patient[];
  /** The alerts that came with the page. */
  firstAlerts: AlertsPage;
  initialNow: number;
  /** The link to all patients, if the screen shows only some. */
  wayToAll: ReactNode;
}

/** Every alert that is not closed, the most urgent first, with who acknowledged and who accepted it. */
export function OpenAlerts({ user, patients, firstAlerts, initialNow, wayToAll }: OpenAlertsProps) {
  const answer = useAlerts(firstAlerts);
  const acts = useAlertActs();
  const { timeZone, rulesAreOn } = user.site;
  const byId = useMemo(() => new Map(patients.map((patient) => [patient.id, patient])), [patients]);
  return (
    <section className={styles.section} aria-labelledby="open-alerts">
      <h2 id="open-alerts">Open alerts</h2>
      <AsyncView
        answer={answer}
        isEmpty={({ total }) => total === 0}
        skeleton={<p className={styles.none}>Loading alerts …</p>}
        empty={() => (
          <p className={styles.none}>{rulesAreOn ? 'None' : 'None. The alert rules are off on this site.'}</p>
        )}
        timeZone={timeZone}
      >
        {({ items, total }) => {
          const shown = items.filter(({ patientId }) => patientId === null || byId.has(patientId));
          return (
            <>
              <AlertList items={shown} initialNow={initialNow}>
                {(alert, isClosed) => (
                  <AlertRow
                    key={alert.id}
                    alert={alert}
                    isClosed={isClosed}
                    patient={alert.patientId === null ? null : (byId.get(alert.patientId) ?? null)}
                    canHandle={can(user, 'handleAlerts')}
                    acts={acts}
                    initialNow={initialNow}
                    timeZone={timeZone}
                  />
                )}
              </AlertList>
              {shown.length === total ? null : (
                <div className={styles.more}>
                  <span>
                    {moreText(
                      items.filter((alert) => !shown.includes(alert)),
                      total - shown.length,
                    )}
                  </span>
                  {wayToAll}
                </div>
              )}
            </>
          );
        }}
      </AsyncView>
      <p role="status" className="visually-hidden">
        {answer.data === undefined ? null : countText(answer.data)}
      </p>
    </section>
  );
}

interface AlertListProps {
  items: readonly AlertItem[];
  initialNow: number;
  children: (alert: AlertItem, isClosed: boolean) => ReactNode;
}

/** The rows, each in its place while a user is at work among them. */
function AlertList({ items, initialNow, children }: AlertListProps) {
  const { shown, isBehind, showNow, handlers } = useHeldAlerts(items, useNow(initialNow));
  return (
    <div {...handlers}>
      <ol className={styles.list}>{shown.map(({ alert, isClosed }) => children(alert, isClosed))}</ol>
      {isBehind ? (
        <div className={styles.more}>
          <span>The list has changed.</span>
          <NativeButton onClick={showNow}>Show the new order</NativeButton>
        </div>
      ) : null}
    </div>
  );
}

/** "3 open alerts, 1 high": read out whenever it changes. */
function countText({ items, total }: AlertsPage): string {
  const high = items.filter(({ priority }) => priority === 'high').length;
  return `${total} ${alertsWord(total)}${high === 0 ? '' : `, ${high} high`}`;
}

/** Returns the number of alerts that are not listed, and the priority of the most urgent one. */
function moreText(hidden: readonly AlertItem[], count: number): string {
  const worst = hidden[0]?.priority;
  const urgency = worst === undefined ? '' : `, the most urgent ${priorityWord(worst)}`;
  return `${count} more ${alertsWord(count)} of patients not on this page${urgency}`;
}

const alertsWord = (count: number): string => (count === 1 ? 'open alert' : 'open alerts');
