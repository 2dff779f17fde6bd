import { formatAge, formatDelay } from '../../lib/time/formatTime';
import { freshnessOf } from '../../lib/vitals/freshness';
import styles from './LiveLamp.module.css';

interface LiveLampProps {
  /** False on a page without values, where none is asked for. */
  areValuesShown: boolean;
  /** The instant from which the newest sample seen counts, epoch milliseconds; null before any was seen. */
  newestAsOf: number | null;
  /** How long values take from the server to this screen, in milliseconds; null before that could be measured. */
  delayMs: number | null;
  now: number;
  serverLost: number | null;
}

/** A continuous feed brings a value a second; the lamp does not know the pace of each device. */
const continuousIntervalMs = 1_000;

/**
 * Says whether values arrive at all and how soon. Green is earned: a filled disc only while the newest value is fresh.
 */
export function LiveLamp({ areValuesShown, newestAsOf, delayMs, now, serverLost }: LiveLampProps) {
  const age = newestAsOf === null ? null : now - newestAsOf;
  const isLive =
    areValuesShown && serverLost === null && age !== null && freshnessOf(age, continuousIntervalMs) === 'live';
  return (
    <span className={isLive ? styles.live : styles.dark}>
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
      <span>
        {lampText(areValuesShown, age, isLive, serverLost)}
        {isLive && delayMs !== null ? <Delay ms={delayMs} /> : null}
      </span>
    </span>
  );
}

function Delay({ ms }: { ms: number }) {
  return (
    <span title="Time from a value’s arrival at the server until it was on this page: median of the last responses with new values.">
      , {formatDelay(ms)} from server to screen
    </span>
  );
}

function lampText(areValuesShown: boolean, age: number | null, isLive: boolean, serverLost: number | null): string {
  if (serverLost !== null) {
    return 'Not live';
  }
  if (!areValuesShown) {
    return 'No values on this page';
  }
  if (age === null) {
    return 'Waiting for values';
  }
  return isLive ? `Live, newest value ${formatAge(age)} old` : `No new value for ${formatAge(age)}`;
}
