import { formatTimeWithSeconds } from '../../lib/time/formatTime';
import { Icon } from '../ui/Icon';
import styles from '../ui/Banner.module.css';

interface NotLiveBannerProps {
  /** Since when the server has not answered, epoch milliseconds, or null. */
  serverLost: number | null;
  timeZone: string;
}

/**
 * Stands across the whole page while the server is out of reach. Yellow, because a lost link is a technical alarm of
 * medium priority (clinical.md section 2.6). The live region is always there: one that appears filled is not read out.
 */
export function NotLiveBanner({ serverLost, timeZone }: NotLiveBannerProps) {
  return (
    <div role="alert" className={styles.region}>
      {serverLost === null ? null : (
        <div className={styles.notLive}>
          <Icon name="warning" />
          <strong>NOT LIVE since {formatTimeWithSeconds(serverLost, timeZone)}</strong>
          <span>
            The server does not answer. Nothing on this screen is known to be true now: look at the patient and the
            bedside monitor.
          </span>
        </div>
      )}
    </div>
  );
}
