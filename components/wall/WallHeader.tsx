import type { ApiFailure } from '../../lib/browser/client';
import { useAlertsStopped } from '../../hooks/useAlertsStopped';
import { formatTimeWithSeconds } from '../../lib/time/formatTime';
import { SiteClock } from '../layout/SiteClock';
import { SoundState } from '../sound/SoundState';
import { Icon } from '../ui/Icon';
import styles from './WallHeader.module.css';

interface WallHeaderProps {
  title: string;
  /** What is not on this wall; null: nothing. */
  missing: string | null;
  now: number;
  userId: number;
  /** Since when the server has not answered, epoch milliseconds; null while it does. */
  serverLost: number | null;
  /** Why the last poll failed. */
  error: ApiFailure | undefined;
  timeZone: string;
}

/**
 * The unit, the site's time and the sound. What makes the tiles worthless takes the whole width of the same band, so
 * that no tile moves. The live region is always there: screen readers do not read one that appears with its text.
 */
export function WallHeader({ title, missing, now, userId, serverLost, error, timeZone }: WallHeaderProps) {
  const alertsStopped = useAlertsStopped();
  const notLive =
    serverLost !== null
      ? `NOT LIVE since ${formatTimeWithSeconds(serverLost, timeZone)} - last data shown`
      : error === undefined || error.status === null
        ? null
        : `NOT LIVE - ${error.message}`;
  return (
    <header className={styles.header}>
      <h1 className={styles.title}>{title}</h1>
      {missing === null ? null : <p className={styles.missing}>{missing}</p>}
      <div className={styles.clock}>
        <SiteClock now={now} timeZone={timeZone} />
      </div>
      <div role="alert" className={styles.bars}>
        {notLive === null ? null : (
          <div className={styles.notLive}>
            <Icon name="warning" />
            <strong>{notLive}</strong>
            <span>Look at the patients and the bedside monitors.</span>
          </div>
        )}
        {alertsStopped === null ? null : (
          <div className={styles.notRunning}>
            <Icon name="warning" />
            <strong>ALERTS NOT RUNNING since {formatTimeWithSeconds(alertsStopped, timeZone)}</strong>
            <span>Look at the patients and the bedside monitors.</span>
          </div>
        )}
      </div>
      <div className={styles.sound}>
        <SoundState userId={userId} />
      </div>
    </header>
  );
}
