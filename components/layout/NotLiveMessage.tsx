import Link from 'next/link';
import { useLostBecause } from '../../hooks/useServerLost';
import { causeTitles } from '../../lib/api/failureCause';
import { paths } from '../../lib/paths';
import { formatTimeWithSeconds } from '../../lib/time/formatTime';
import { Icon } from '../ui/Icon';
import styles from './NotLiveMessage.module.css';

interface NotLiveMessageProps {
  /** Since when the server has not answered, epoch milliseconds, or null. */
  serverLost: number | null;
  timeZone: string;
}

/**
 * Says in the header that the server brings nothing new: the one message about it, in a space that is always there, so
 * that it pushes nothing (screens.md section 6). Yellow, because a lost link is a technical alarm of medium priority
 * (clinical.md section 2.6). The live region is always there: screen readers do not read one that appears with its
 * text.
 */
export function NotLiveMessage({ serverLost, timeZone }: NotLiveMessageProps) {
  const because = useLostBecause();
  return (
    <div className={styles.place}>
      <div role="alert" className={styles.message}>
        {serverLost === null ? null : (
          <div className={styles.notLive} title={`${causeTitles[because]}.`}>
            <Icon name="warning" />
            <span>
              <strong>NOT LIVE since {formatTimeWithSeconds(serverLost, timeZone)} - last data shown.</strong>{' '}
              <span className={styles.advice}>
                Look at the patient and the bedside monitor.{' '}
                {because === 'unreachable' || because === 'throttled' ? null : (
                  <Link href={paths.signIn} prefetch={false}>
                    Sign in again
                  </Link>
                )}
              </span>
            </span>
          </div>
        )}
      </div>
    </div>
  );
}
