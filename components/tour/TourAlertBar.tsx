import { useCallback, useEffect } from 'react';
import { createPortal } from 'react-dom';
import { useAlertsOldSince } from '../../hooks/useAlertsOld';
import { useServerLost } from '../../hooks/useServerLost';
import { awaitedText, rulesOffText } from '../../lib/alerts/awaitedAlerts';
import { sentenceAsOf } from '../../lib/alerts/sentenceAsOf';
import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import type { User } from '../../lib/session/schema';
import { formatTime } from '../../lib/time/formatTime';
import { problemWords } from '../alerts/ActProblem';
import { alertChoices, type QuickAct } from '../alerts/alertChoices';
import { alertPlace, alertSubject } from '../alerts/alertSubject';
import { IgnoredClick } from '../alerts/IgnoredClick';
import { useAlertActs, type AlertActState } from '../alerts/useAlertActs';
import { useAnnouncement } from '../alerts/useAnnouncement';
import { useMoveGuard } from '../alerts/useMoveGuard';
import { useSlotAlert } from '../alerts/useSlotAlert';
import { PriorityShape } from '../ui/PriorityShape';
import styles from './TourAlertBar.module.css';

/** The element among the banners that the bar is drawn into. */
export const tourBarId = 'tour-bar';

/**
 * So long an alert that someone has taken stays in the bar, in milliseconds: others wait behind it. The button that was
 * pressed is gone by then, so nothing may say that the keyboard has left the bar.
 */
const doneShownMs = 3_000;

interface TourAlertBarProps {
  user: User;
  /** The open alerts; undefined until the first response. */
  alerts: AlertsPage | undefined;
  /** The alerts that no one has taken, HIGH and MEDIUM ones, the most urgent first. */
  unowned: readonly AlertItem[];
  /** The page says new alerts itself. */
  isSilent: boolean;
}

/**
 * The worst alert that no one has taken, above the walkthrough, with what can be done about it. Of one height with and
 * without an alert, so that it pushes nothing.
 */
export function TourAlertBar({ user, alerts, unowned, isSilent }: TourAlertBarProps) {
  const place = document.getElementById(tourBarId);
  const slot = useSlotAlert(unowned, alerts, 0);
  const { shown, isClosed, more, handlers, release } = slot;
  const isDone = shown !== null && (isClosed || shown.accepted !== null);
  useEffect(() => {
    if (!isDone) {
      return undefined;
    }
    const timer = setTimeout(release, doneShownMs);
    return () => clearTimeout(timer);
  }, [isDone, shown?.id, release]);
  const guard = useMoveGuard(String(shown?.id ?? ''));
  const { onAct, stateOf, said } = useAlertActs(
    user,
    useCallback(() => undefined, []),
  );
  const announced = useAnnouncement(alerts?.items);
  if (place === null) {
    return null;
  }
  return createPortal(
    <>
      <section
        className={styles.bar}
        aria-label="Alerts during the walkthrough"
        tabIndex={-1}
        data-priority={shown !== null && shown.accepted === null && !isClosed ? shown.priority : undefined}
        onClickCapture={guard.onClickCapture}
        {...handlers}
      >
        {shown === null ? (
          <span className={styles.quiet}>
            {alerts === undefined ? 'Alerts are loading' : user.site.rulesAreOn ? awaitedText(0) : rulesOffText}
          </span>
        ) : (
          <BarAlert
            key={shown.id}
            alert={shown}
            isClosed={isClosed}
            more={more}
            user={user}
            state={stateOf(shown.id)}
            onAct={onAct}
          />
        )}
        <p role="status" className="visually-hidden">
          {said}
        </p>
        {isSilent ? null : (
          <p aria-live={announced.priority === 'high' ? 'assertive' : 'polite'} className="visually-hidden">
            {announced.text}
          </p>
        )}
      </section>
      <IgnoredClick ignored={guard.ignored} happened="Another alert just came here." />
    </>,
    place,
  );
}

interface BarAlertProps {
  alert: AlertItem;
  isClosed: boolean;
  /** How many others need someone. */
  more: number;
  user: User;
  state: AlertActState | undefined;
  onAct: (alert: AlertItem, act: QuickAct) => void;
}

/** "Bed S3 · Fenwick, Ada · SpO2 86 % < 88 for 4 min" and the two acts. */
function BarAlert({ alert, isClosed, more, user, state, onAct }: BarAlertProps) {
  const oldSince = useAlertsOldSince();
  const lost = useServerLost() ?? oldSince;
  const choices = alertChoices(alert, user, isClosed);
  const what = sentenceAsOf(alert.headline, lost === null ? null : formatTime(lost, user.site.timeZone));
  const problem = state?.problem === undefined ? '' : problemWords(alert, user.id, state.problem);
  const bed = alert.patient?.bed ?? null;
  const about = `${alertSubject(alert)}, ${alertPlace(alert)}`;
  const press = (act: 'take' | 'acknowledge', label: string) => (
    <button
      type="button"
      className={`ant-btn wardlight ${act === 'take' ? primaryLook : defaultLook}`}
      aria-disabled={lost !== null || (state?.running ?? act) !== act}
      aria-busy={state?.running === act}
      onClick={() => {
        if (lost === null) {
          onAct(alert, act);
        }
      }}
    >
      {state?.running === act ? 'Sending …' : label}
      <span className="visually-hidden">{` the alert of ${about}`}</span>
    </button>
  );
  return (
    <>
      <PriorityShape priority={alert.priority} />
      <span className={styles.what} title={`${about}. ${what}`} data-current="">
        <strong>{bed === null ? alertSubject(alert) : `Bed ${bed}`}</strong>
        <span className={styles.name}>{bed === null ? alertPlace(alert) : about}</span>
        <span className={styles.headline}>{problem === '' ? (isClosed ? 'The alert is closed' : what) : problem}</span>
      </span>
      {more === 0 ? null : <span className={styles.more}>{`+${more} more`}</span>}
      {alert.accepted === null ? null : (
        <span className={styles.more}>
          Taken by {alert.accepted.by.id === user.id ? 'you' : alert.accepted.by.name}
        </span>
      )}
      {choices.take === null || alert.accepted !== null ? null : press('take', choices.take.label)}
      {choices.acknowledge === null ? null : press('acknowledge', 'Acknowledge')}
    </>
  );
}

const primaryLook = 'ant-btn-primary ant-btn-color-primary ant-btn-variant-solid';
const defaultLook = 'ant-btn-default ant-btn-color-default ant-btn-variant-outlined';
