import { useAlertLog } from '../../hooks/useAlertLog';
import type { Closing } from '../../lib/alerts/alert';
import type { LoggedEvent } from '../../lib/alerts/schema';
import styles from './AlertRow.module.css';

const closingWords = {
  ended: 'it ended by itself',
  acknowledged: 'acknowledged',
  resolved: 'resolved',
  administrative: 'the patient or the device left',
  retrospective: 'it was over when its values came',
} as const satisfies Record<Closing, string>;

/** "Closed: acknowledged by N. Demo": why a row is grey that only keeps its place. */
export function ClosedWords({ alertId }: { alertId: number }) {
  const log = useAlertLog(alertId);
  return <strong className={styles.quiet}>{log === undefined ? 'Closed' : `Closed: ${closedBecause(log)}`}</strong>;
}

/** Returns why an alert was closed, and by whom if a user did it. */
export function closedBecause(log: readonly LoggedEvent[]): string {
  const closed = log.findLast(({ is }) => is === 'closed');
  const last = closed?.is === 'closed' ? closed.because : 'ended';
  // Someone had said what came of it; it closed when the condition ended.
  const because = last === 'ended' && log.some(({ is }) => is === 'resolved') ? 'resolved' : last;
  const by = log.findLast(({ is }) => is === because)?.by?.name;
  return `${closingWords[because]}${by === undefined ? '' : ` by ${by}`}`;
}
