import { useMemo, useRef, type ReactNode } from 'react';
import { useAlerts } from '../../hooks/useAlerts';
import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
import { priorities } from '../../lib/alerts/priority';
import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import type { Patient } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { can } from '../../lib/session/can';
import { FailureNotice } from '../ui/AsyncView';
import { AlertNews } from './AlertNews';
import { AlertRow } from './AlertRow';
import styles from './OpenAlerts.module.css';
import { priorityWord } from './PriorityMark';
import { useHeldAlerts, type ListedAlert } from './useHeldAlerts';
import { useRowFocus } from './useRowFocus';

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

/**
 * Every alert that is not closed, the most urgent first, with who acknowledged and who accepted it. Nothing above a row
 * comes or goes with a poll: the head keeps its height, and a failure is said below the list.
 */
export function OpenAlerts({ user, patients, firstAlerts, initialNow, wayToAll }: OpenAlertsProps) {
  const response = useAlerts(firstAlerts);
  const { data, error } = response;
  const isOld = useServerLost() !== null || error !== undefined;
  const { timeZone, rulesAreOn } = user.site;
  const listed = useMemo(() => listAlerts(data?.items ?? [], patients), [data, patients]);
  const hidden = useMemo(
    () => (data?.items ?? []).filter((alert) => !listed.some((each) => each.alert === alert)),
    [data, listed],
  );
  const held = useHeldAlerts(listed, data, useNow(initialNow));
  const list = useRef<HTMLOListElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { onFocus, onBlur } = useRowFocus(list, heading);
  return (
    <section className={styles.section} aria-labelledby="open-alerts">
      <div
        {...held.handlers}
        onFocus={(event) => {
          held.handlers.onFocus();
          onFocus(event);
        }}
        onBlur={(event) => {
          held.handlers.onBlur(event);
          onBlur(event);
        }}
      >
        <div className={styles.head} data-news={held.news.length === 0 ? undefined : ''}>
          <div className={styles.title}>
            <h2 id="open-alerts" ref={heading} tabIndex={-1}>
              Open alerts
            </h2>
            {isOld && data !== undefined ? <strong className={styles.notLive}>Not live</strong> : null}
          </div>
          <AlertNews
            {...held}
            showNow={() => {
              held.showNow();
              // The button goes, and with it the keyboard would be at the top of the page.
              heading.current?.focus({ preventScroll: true });
            }}
          />
        </div>
        {data === undefined && error === undefined ? <p className={styles.none}>Loading alerts …</p> : null}
        {data?.total === 0 && held.shown.length === 0 ? (
          <p className={styles.none}>{rulesAreOn ? 'None' : 'None. The alert rules are off on this site.'}</p>
        ) : null}
        <ol ref={list} className={styles.list} data-old={isOld ? '' : undefined}>
          {held.shown.map((alert) => (
            <AlertRow
              key={alert.alert.id}
              {...alert}
              canHandle={can(user, 'handleAlerts')}
              initialNow={initialNow}
              timeZone={timeZone}
            />
          ))}
        </ol>
      </div>
      {data === undefined || listed.length === data.total ? null : (
        <div className={styles.more}>
          <span>{moreText(hidden, data.total - listed.length)}</span>
          {wayToAll}
        </div>
      )}
      <FailureNotice answer={response} timeZone={timeZone} />
      <p role="status" className="visually-hidden">
        {data === undefined ? null : countText(data)}
      </p>
    </section>
  );
}

/** Returns the alerts about equipment and about these patients, each with its patient. */
function listAlerts(alerts: readonly AlertItem[], patients: readonly Patient[]): ListedAlert[] {
  const byId = new Map(patients.map((patient) => [patient.id, patient]));
  return alerts.flatMap((alert): ListedAlert[] => {
    if (alert.patientId === null) {
      return [{ alert, patient: null }];
    }
    const patient = byId.get(alert.patientId);
    return patient === undefined ? [] : [{ alert, patient }];
  });
}

/** "3 open alerts, 1 high": read out whenever it changes. */
function countText({ items, total }: AlertsPage): string {
  const high = items.filter(({ priority }) => priority === 'high').length;
  return `${total} ${alertsWord(total)}${high === 0 ? '' : `, ${high} high`}`;
}

/** Returns the number of alerts that are not listed, and the priority of the most urgent one. */
function moreText(hidden: readonly AlertItem[], count: number): string {
  const worst = priorities.find((each) => hidden.some(({ priority }) => priority === each));
  const urgency = worst === undefined ? '' : `, the most urgent ${priorityWord(worst)}`;
  return `${count} more ${alertsWord(count)} of patients not on this page${urgency}`;
}

const alertsWord = (count: number): string => (count === 1 ? 'open alert' : 'open alerts');
