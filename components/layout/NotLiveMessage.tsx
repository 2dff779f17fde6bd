import Link from 'next/link';
import { useLostBecause } from '../../hooks/useServerLost';
import { causeTitles } from '../../lib/api/failureCause';
import { paths } from '../../lib/paths';
import { formatTimeWithSeconds } from '../../lib/time/formatTime';
import { Icon } from '../ui/Icon';
import styles from '../ui/Banner.module.css';

interface NotLiveBannerProps {
  /** Since when the server has not answered, epoch milliseconds, or null. */
  serverLost: number | null;
  timeZone: string;
}

/**
 * Says across the whole page that the server brings nothing new, and why. Yellow, because a lost link is a technical
 * alarm of medium priority (clinical.md section 2.6). The live region is always there: screen readers do not read one
 * that appears with its text.
 */
export function NotLiveBanner({ serverLost, timeZone }: NotLiveBannerProps) {
  const because = useLostBecause();
  return (
    <div role="alert">
      {serverLost === null ? null : (
        <div className={styles.notLive}>
          <Icon name="warning" />
          <strong>NOT LIVE since {formatTimeWithSeconds(serverLost, timeZone)}</strong>
          <span>
            {causeTitles[because]}. Nothing on this screen is known to be true now: look at the patient and the bedside
            monitor.
          </span>
          {because === 'unreachable' || because === 'throttled' ? null : (
            <Link href={paths.signIn} prefetch={false}>
              Sign in again
            </Link>
          )}
        </div>
      )}
    </div>
  );
}
