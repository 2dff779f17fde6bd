import Link from 'next/link';
import { useAlertStrip } from '../../hooks/AlertStripProvider';
import { awaitedAlerts, awaitedText, rulesOffText } from '../../lib/alerts/awaitedAlerts';
import { paths } from '../../lib/paths';
import { PriorityShape } from '../ui/PriorityShape';
import styles from './AlertChip.module.css';

/**
 * How many HIGH and MEDIUM alerts no one has accepted, and how urgent the worst is, on every page (screens.md section
 * 5). It keeps its width, so that nothing beside it moves. A dash and never a zero where that is not known: no response
 * yet, or no rule that watches.
 */
export function AlertChip({ rulesAreOn }: { rulesAreOn: boolean }) {
  const { items, isOld } = useAlertStrip();
  const { count, worst } = awaitedAlerts(items ?? []);
  const isUnwatched = count === 0 && !rulesAreOn;
  const text = items === undefined ? 'Alerts are loading' : isUnwatched ? rulesOffText : awaitedText(count);
  return (
    <Link
      href={paths.dashboard}
      prefetch={false}
      className={`${styles.chip} ${worst === null || isOld ? styles.quiet : `${styles.urgent} priority-${worst}`}`}
      title={isOld ? `${text}, as it was when the server last answered` : text}
    >
      {worst === null ? null : <PriorityShape priority={worst} />}
      <span aria-hidden="true">{items === undefined || isUnwatched ? '–' : count}</span>
      <span aria-hidden="true" className={styles.word}>
        {count === 1 ? 'alert' : 'alerts'}
      </span>
      <span className="visually-hidden" role="status">
        {isOld ? `${text}, not live` : text}
      </span>
    </Link>
  );
}
