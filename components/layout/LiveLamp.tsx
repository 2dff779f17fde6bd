import { formatAge, formatDelay } from '../../lib/time/formatTime';
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
}

/** A continuous feed brings a value a second; the lamp does not know the pace of each device. */
const continuousIntervalMs = 1_000;

/**
 * Says whether values arrive and how soon. The green, filled disc is shown only while the newest value is fresh, the
 * server answers and can raise alerts.
 */
export function LiveLamp(props: LiveLampProps) {
  const { areValuesShown, newestAsOf, delayMs, now, serverLost, isAnswering, alertsStopped } = props;
  // A value from the future says nothing about how current the page is.
  const age = newestAsOf === null || !isAgeKnown(now - newestAsOf) ? null : now - newestAsOf;
  const isFresh = age !== null && freshnessOf(age, continuousIntervalMs) === 'live';
  // While the server is lost the header says so beside it, in one message.
  if (!areValuesShown || serverLost !== null) {
    return null;
  }
  const isLive = alertsStopped === null && isAnswering && isFresh;
  const details = isLive ? detailsOf(age, delayMs) : undefined;
  return (
    <span className={isLive ? styles.live : styles.dark} title={details} aria-description={details}>
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
      <span>{isAnswering ? lampText(age, isFresh, delayMs, alertsStopped) : 'Server not answering'}</span>
    </span>
  );
}

function detailsOf(age: number, delayMs: number | null): string {
  const newest = `Newest value ${formatAge(age)} old.`;
  return delayMs === null
    ? newest
    : `${newest} ${formatDelay(delayMs)} from server to screen: median of the last responses with new values.`;
}

function lampText(age: number | null, isFresh: boolean, delayMs: number | null, alertsStopped: number | null): string {
  if (alertsStopped !== null) {
    return 'Alerts not running';
  }
  if (age === null) {
    return 'Waiting for values';
  }
  if (!isFresh) {
    return `No new value for ${formatAge(age)}`;
  }
  return delayMs === null ? 'Live' : `Live ${formatDelay(delayMs)}`;
}
