import { formatAge, formatDelay } from '../../lib/time/formatTime';
import type { StaleBeds } from '../../lib/patients/staleBeds';
import { freshnessOf, isAgeKnown } from '../../lib/vitals/freshness';
import styles from './LiveLamp.module.css';

interface LiveLampProps {
  /** False on a page without values: the lamp is not shown there. */
  areValuesShown: boolean;
  /** The instant from which the newest sample seen counts, epoch milliseconds; null before any was seen. */
  newestAsOf: number | null;
  /** How long values take from the server to this screen, in milliseconds; null before that could be measured. */
  delayMs: number | null;
  now: number;
  serverLost: number | null;
  /** False from the first call without an answer: other parts of the page say then that they are not live. */
  isAnswering: boolean;
  /** Since when the server can raise no alerts (`useAlertsStopped`); null while it can. */
  alertsStopped: number | null;
  /** Since when the alerts on the page have not been answered (`useAlertsOldSince`); null while they are current. */
  alertsOldSince: number | null;
  beds: StaleBeds;
  /** Alerts may ask this user, and the screen makes no sound: the button of the sound says so beside it. */
  isSilent: boolean;
}

/** A continuous feed brings a value a second; the lamp does not know the pace of each device. */
const continuousIntervalMs = 1_000;

/**
 * Says whether values arrive and how soon. It is the worst of its parts: the green, filled disc is shown only while the
 * newest value is fresh, no bed is stale, the server answers and can raise alerts, those on the page are current, and
 * the screen sounds those that ask its user.
 */
export function LiveLamp(props: LiveLampProps) {
  const { areValuesShown, newestAsOf, delayMs, now, serverLost, isAnswering, alertsStopped } = props;
  const { alertsOldSince, beds, isSilent } = props;
  // A value from the future says nothing about how current the page is.
  const age = newestAsOf === null || !isAgeKnown(now - newestAsOf) ? null : now - newestAsOf;
  const isFresh = age !== null && freshnessOf(age, continuousIntervalMs) === 'live';
  // While the server is lost the header says so beside it, in one message.
  if (!areValuesShown || serverLost !== null) {
    return null;
  }
  const areAlertsDead = alertsStopped !== null || alertsOldSince !== null;
  const isCurrent = !areAlertsDead && isAnswering && isFresh && beds.stale === 0;
  const isLive = isCurrent && !isSilent;
  // Half of the beds: it is the gateway or the network, and no longer a probe.
  const isRed = areAlertsDead || (beds.stale > 0 && beds.stale * 2 >= beds.of);
  const isAmber = beds.stale > 0 || (isCurrent && isSilent);
  const look = isLive ? styles.live : isRed ? styles.red : isAmber ? styles.amber : styles.dark;
  const details = isCurrent ? `${isSilent ? 'This screen makes no sound. ' : ''}${detailsOf(age, delayMs)}` : undefined;
  return (
    <span className={look} title={details} aria-description={details}>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        {isLive ? (
          <circle cx="6" cy="6" r="5" fill="currentColor" />
        ) : (
          <path
            d="M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1ZM2.5 9.5l7-7"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
          />
        )}
      </svg>
      <span>{isAnswering ? lampText(props, age, isFresh) : 'Server not answering'}</span>
    </span>
  );
}

function detailsOf(age: number, delayMs: number | null): string {
  const newest = `Newest value ${formatAge(age)} old.`;
  return delayMs === null
    ? newest
    : `${newest} ${formatDelay(delayMs)} from server to screen: median of the last responses with new values.`;
}

function lampText(
  { delayMs, now, alertsStopped, alertsOldSince, beds }: LiveLampProps,
  age: number | null,
  isFresh: boolean,
): string {
  if (alertsStopped !== null) {
    return 'Alerts not running';
  }
  if (alertsOldSince !== null) {
    return `Alerts ${formatAge(now - alertsOldSince)} old`;
  }
  if (age === null) {
    return 'Waiting for values';
  }
  if (!isFresh) {
    return `No new value for ${formatAge(age)}`;
  }
  if (beds.stale > 0) {
    return `${beds.stale} of ${beds.of} beds stale`;
  }
  return delayMs === null ? 'Live' : `Live ${formatDelay(delayMs)}`;
}
