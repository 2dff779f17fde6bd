import { useAlertStrip } from '../../hooks/AlertStripProvider';
import { awaitedAlerts, awaitedText } from '../../lib/alerts/awaitedAlerts';
import styles from './AlertBadge.module.css';

/** The number of alerts that no one has accepted, on the way to them: beside its text, or on its icon. */
export function AlertBadge({ isOnPicture }: { isOnPicture: boolean }) {
  const { items, isOld } = useAlertStrip();
  const { count, worst } = awaitedAlerts(items ?? []);
  return worst === null || isOld ? null : (
    <span
      className={`${styles.badge} ${isOnPicture ? styles.onPicture : styles.beside} priority-${worst}`}
      title={awaitedText(count)}
    >
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="visually-hidden"> {awaitedText(count)}</span>
    </span>
  );
}
