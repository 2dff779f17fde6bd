import { formatDate, formatTimeWithSeconds, zoneLabel } from '../../lib/time/formatTime';
import styles from './SiteClock.module.css';

/** The server's time in the site's time zone, with its name. The browser's clock and zone are never shown. */
export function SiteClock({ now, timeZone }: { now: number; timeZone: string }) {
  return (
    <time
      className={styles.clock}
      dateTime={new Date(now).toISOString()}
      title={`${formatDate(now, timeZone)}, ${timeZone}`}
    >
      <span className={styles.date}>{formatDate(now, timeZone)}</span>{' '}
      <strong>{formatTimeWithSeconds(now, timeZone)}</strong> {zoneLabel(now, timeZone)}
    </time>
  );
}
