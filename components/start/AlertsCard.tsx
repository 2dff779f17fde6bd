import Link from 'next/link';
import { useAlertStrip } from '../../hooks/AlertStripProvider';
import { awaitedAlerts, awaitedText, rulesOffText } from '../../lib/alerts/awaitedAlerts';
import { paths } from '../../lib/paths';
import { Icon } from '../ui/Icon';
import { PriorityShape } from '../ui/PriorityShape';
import styles from './StartScreen.module.css';

/** How many alerts no one has accepted: the first card, because it cannot wait. */
export function AlertsCard({ rulesAreOn }: { rulesAreOn: boolean }) {
  const { items, isOld } = useAlertStrip();
  const { count, worst } = awaitedAlerts(items ?? []);
  const isKnown = items !== undefined && !isOld;
  const text = count > 0 || rulesAreOn ? awaitedText(count) : rulesOffText;
  return (
    <section className={styles.card} aria-labelledby="start-alerts">
      <h2 id="start-alerts">Alerts</h2>
      <p className={`${styles.number} ${styles.awaited}`}>
        {worst === null || isOld ? null : <PriorityShape priority={worst} size={32} />}
        {isKnown ? count : '–'}
      </p>
      <p className={styles.quiet}>{isKnown ? text : 'Not known at the moment'}</p>
      <Link href={paths.dashboard} prefetch={false} className={styles.way}>
        <Icon name="dashboard" />
        Open the alerts
      </Link>
    </section>
  );
}
