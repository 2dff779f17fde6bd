import { useAlertsStopped } from '../../hooks/useAlertsStopped';
import { formatTimeWithSeconds } from '../../lib/time/formatTime';
import { Icon } from '../ui/Icon';
import styles from '../ui/Banner.module.css';

/**
 * Says across the whole page that the server raises no alerts although it answers (clinical.md section 0, P3). Red,
 * because every alarm may be missing. It is another state than rules that are switched off, which no fault causes. The
 * live region is always there: screen readers do not read one that appears with its text.
 */
export function AlertsNotRunningBanner({ timeZone }: { timeZone: string }) {
  const since = useAlertsStopped();
  return (
    <div role="alert">
      {since === null ? null : (
        <div className={styles.alertsNotRunning}>
          <Icon name="warning" />
          <strong>ALERTS NOT RUNNING since {formatTimeWithSeconds(since, timeZone)}</strong>
          <span>No alert will be raised or escalated: look at the patients and the bedside monitors.</span>
        </div>
      )}
    </div>
  );
}
