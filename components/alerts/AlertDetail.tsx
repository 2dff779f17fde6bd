import { useContext } from 'react';
import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
import { escalationWords, nextStepWords } from '../../lib/alerts/escalationWords';
import { outcomeLabels } from '../../lib/alerts/outcomeLabels';
import type { AlertItem } from '../../lib/alerts/schema';
import { deviceAlarmNotice, deviceAlarmSummary } from '../../lib/deviceAlarms/deviceAlarmWords';
import { sentenceAsOf } from '../../lib/alerts/sentenceAsOf';
import { pauseWords } from '../../lib/patients/pauseWords';
import type { Patient } from '../../lib/patients/schema';
import { formatAge, formatClock, formatTime } from '../../lib/time/formatTime';
import styles from './AlertRow.module.css';
import { AlertValuesContext, useAlertWords } from './AlertValues';
import { LiveAge } from './LiveAge';
import { useWordsAsOf } from './useWordsAsOf';

interface AlertDetailProps {
  alert: AlertItem;
  initialNow: number;
  timeZone: string;
}

/**
 * Under the headline: the rest of the sentence, that it ended, who is asked next and when, and since when it is raised.
 * Numbers come first: where there is no room for all, the end is cut, and never a limit.
 */
export function AlertDetail({ alert, isOld, initialNow, timeZone }: AlertDetailProps & { isOld: boolean }) {
  const now = useNow(initialNow);
  const lost = useServerLost();
  const { headline, sentence } = useAlertWords(alert);
  const next = nextStepWords(alert, now, lost === null ? null : timeZone);
  const asOf = useWordsAsOf(isOld, initialNow);
  const rest = sentenceAsOf(
    sentence.slice(headline.length).replace(/^, /, ''),
    asOf === null ? null : formatTime(asOf, timeZone),
  );
  // Its end is said after it, in bold.
  const afterEnd = alert.endedAt === null ? rest : rest.replace(/^ended at \d\d:\d\d(, |$)/, '');
  const shared = { initialNow, timeZone };
  const said = (instant: string): string =>
    lost === null ? formatAge(now - Date.parse(instant)) : formatClock(Date.parse(instant), now, timeZone);
  // Acknowledging ends the sound alone: the clock of the escalation counts until someone takes it (section 0, E1).
  const isHeldByNoOne = alert.acknowledged !== null && alert.accepted === null;
  return (
    <span className={styles.quiet} title={rest} data-current="">
      {isOld ? <strong>Not updated: too many alerts are open. </strong> : null}
      {alert.notStored === true ? <strong>Not stored yet · </strong> : null}
      {afterEnd === '' ? null : `${afterEnd} · `}
      {alert.endedAt === null ? null : (
        <strong>
          Ended <LiveAge instant={alert.endedAt} {...shared} />.
          {alert.acknowledged === null ? ' Not acknowledged.' : null}{' '}
        </strong>
      )}
      {next === null ? null : <strong>{isHeldByNoOne ? goesOn(next) : next} · </strong>}
      {outcomeWords(alert)}
      raised <LiveAge instant={alert.raisedAt} {...shared} />
      {said(alert.lastRaisedAt) === said(alert.raisedAt) ? null : (
        <>
          , last <LiveAge instant={alert.lastRaisedAt} {...shared} />
        </>
      )}
      <DeviceSays {...shared} alert={alert} />
    </span>
  );
}

/** What a user recorded of an alert that goes on: others need not ask again. */
function outcomeWords({ outcome, resolved }: AlertItem): string | null {
  return outcome === null || resolved === null ? null : `${resolved.by.name} recorded: ${outcomeLabels[outcome]} · `;
}

const goesOn = (next: string): string => `Escalation goes on: ${next.charAt(0).toLowerCase()}${next.slice(1)}`;

/** Who was asked, and how long the sound is paused. One line, also if that is nothing: no row changes its height. */
export function AlertAsked({ alert, initialNow, timeZone }: AlertDetailProps) {
  const { audioPausedUntil, reassigned } = alert;
  const words = [
    ...(reassigned === null ? [] : [`${reassigned.by.name} asks ${reassigned.to.name} to take it`]),
    escalationWords(alert, timeZone),
  ].filter((part) => part !== '');
  const text = words.join(' · ');
  return (
    <span className={styles.asked} title={text}>
      {audioPausedUntil === null ? null : (
        <SoundPaused until={audioPausedUntil} initialNow={initialNow} timeZone={timeZone} />
      )}
      {text}
    </span>
  );
}

function SoundPaused({ until, initialNow, timeZone }: Omit<AlertDetailProps, 'alert'> & { until: string }) {
  const end = Date.parse(until);
  const left = end - useNow(initialNow);
  const isLost = useServerLost() !== null;
  return left > 0 ? (
    <strong>
      {isLost ? `Sound paused until ${formatTime(end, timeZone)} · ` : `Sound paused, ${formatAge(left)} left · `}
    </strong>
  ) : null;
}

/** What devices themselves report of the patient: one card names both. */
function DeviceSays({ alert, initialNow, timeZone }: AlertDetailProps) {
  const { patients } = useContext(AlertValuesContext);
  const at = { now: useNow(initialNow), serverLost: useServerLost(), timeZone };
  const patient = alert.patientId === null ? undefined : patients.get(alert.patientId);
  const words = deviceAlarmSummary(patient?.deviceAlarms ?? [], at);
  return words === '' ? null : (
    <span className={styles.device} title={deviceAlarmNotice} data-device-alarm="">{` · ${words}`}</span>
  );
}

/** Which alerts of the patient are held back: under the name. */
export function AlertPause({ alert, ...shared }: AlertDetailProps) {
  const { patients } = useContext(AlertValuesContext);
  const patient = alert.patientId === null ? undefined : patients.get(alert.patientId);
  return patient === undefined || (patient.standby === null && patient.comfortCare === null) ? null : (
    <PauseLeft patient={patient} {...shared} />
  );
}

function PauseLeft({ patient, initialNow, timeZone }: Omit<AlertDetailProps, 'alert'> & { patient: Patient }) {
  const isLost = useServerLost() !== null;
  const pause = pauseWords(patient, useNow(initialNow), isLost ? timeZone : null);
  return pause === null ? null : <strong className={styles.quiet}>{pause}</strong>;
}
