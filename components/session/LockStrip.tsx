import { useAlertStrip } from '../../hooks/AlertStripProvider';
import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
import { awaitedAlerts, awaitedText, rulesOffText } from '../../lib/alerts/awaitedAlerts';
import { priorityLabels } from '../../lib/alerts/priority';
import { stripPlace } from '../../lib/alerts/stripPlace';
import type { StripItem } from '../../lib/alerts/stripSchema';
import { formatAge, formatTime, formatTimeWithSeconds } from '../../lib/time/formatTime';
import { PriorityShape } from '../ui/PriorityShape';
import styles from './LockStrip.module.css';

/** As many as are read from a distance; the others are counted. */
const shownAtMost = 8;

interface LockStripProps {
  timeZone: string;
  rulesAreOn: boolean;
  initialNow: number;
}

/**
 * The open alerts on a locked screen, so that locking hides none: bed, priority and time, nothing else of a patient
 * (clinical.md section 9, screens.md section 5). It says so if there are none, and if it is not up to date.
 */
export function LockStrip({ timeZone, rulesAreOn, initialNow }: LockStripProps) {
  const { items, isOld } = useAlertStrip();
  const lost = useServerLost();
  const now = useNow(initialNow);
  const urgent = (items ?? []).filter(({ priority }) => priority !== 'low');
  const shown = urgent.slice(0, shownAtMost);
  const low = (items?.length ?? 0) - urgent.length;
  return (
    <section className={styles.strip} aria-labelledby="lock-alerts">
      <h2 id="lock-alerts">Open alerts</h2>
      <div role="alert">
        {lost === null ? null : (
          <p className={styles.notLive}>
            <strong>NOT LIVE since {formatTimeWithSeconds(lost, timeZone)} - last data shown.</strong> Look at the
            patient and the bedside monitor.
          </p>
        )}
      </div>
      {isOld && lost === null ? <p className={styles.text}>This list could not be refreshed. Trying again …</p> : null}
      <p role="status" className={styles.text}>
        {summaryOf(items, rulesAreOn)}
      </p>
      {shown.length === 0 ? null : (
        <ul className={styles.list} data-old={isOld ? '' : undefined}>
          {shown.map((item, index) => (
            // The same place may have two alerts that were raised at once.
            <li key={`${index} ${stripPlace(item)}`} className={isOld ? styles.old : undefined}>
              <PriorityShape priority={item.priority} size={28} />
              <strong className={styles.place}>{stripPlace(item)}</strong>
              <span>{priorityLabels[item.priority]}</span>
              <span className={styles.time}>
                {formatTime(Date.parse(item.raisedAt), timeZone)}
                {isOld ? null : ` · ${formatAge(now - Date.parse(item.raisedAt))}`}
              </span>
              <span className={styles.owner}>{item.owned ? 'taken' : 'not taken'}</span>
            </li>
          ))}
        </ul>
      )}
      {urgent.length > shown.length || low > 0 ? (
        <p className={styles.text}>
          {[
            ...(urgent.length > shown.length ? [`+${urgent.length - shown.length} more`] : []),
            ...(low > 0 ? [`${low} low`] : []),
          ].join(', ')}
        </p>
      ) : null}
    </section>
  );
}

function summaryOf(items: readonly StripItem[] | undefined, rulesAreOn: boolean): string {
  if (items === undefined) {
    return 'Alerts are loading …';
  }
  if (items.length === 0) {
    return rulesAreOn ? 'No open alerts' : rulesOffText;
  }
  return awaitedText(awaitedAlerts(items).count);
}
