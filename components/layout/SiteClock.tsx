import { formatDate, formatTimeWithSeconds, zoneLabel } from '../../lib/time/formatTime';
import styles from './SiteClock.module.css';

/** The server's time in the site's zone, with the zone's name: never the browser's clock, never its zone. */
export function SiteClock({ now, timeZone }: { now: number; timeZone: string }) {
  return (
    <time className={styles.clock} dateTime={new Date(now).toISOString()} title={timeZone}>
      <span className={styles.date}>{formatDate(now, timeZone)}</span>{' '}
      <strong>{formatTimeWithSeconds(now, timeZone)}</strong> {zoneLabel(now, timeZone)}
    </time>
  );
}
