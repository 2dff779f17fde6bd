import type { ChartAlert, ChartNote } from '../../lib/alerts/chartMarksSchema';
import { limitText } from '../../lib/alerts/sentenceParts';
import { noteTypes } from '../../lib/notes/noteTypes';
import { formatDayAndTime, formatTime, zoneLabel } from '../../lib/time/formatTime';
import type { ChartWindow } from '../../lib/vitals/chartGaps';
import type { ChartLimit, ChartTarget } from '../../lib/vitals/chartLimits';
import { AlertLine } from './AlertLine';
import styles from './ChartTable.module.css';

interface ChartMarksListProps {
  limits: readonly ChartLimit[];
  targets: readonly ChartTarget[];
  alerts: readonly ChartAlert[];
  /** There are older ones. */
  hasMoreAlerts: boolean;
  notes: readonly ChartNote[];
  unit: string;
  timeZone: string;
}

/** What the chart draws beside the values, in words: target and limits with their time, the alerts, and the notes. */
export function ChartMarksList({ limits, targets, alerts, hasMoreAlerts, notes, unit, timeZone }: ChartMarksListProps) {
  const span = ({ from, to }: ChartWindow): string =>
    `${formatDayAndTime(from, timeZone)} to ${formatTime(to, timeZone)} ${zoneLabel(to, timeZone)}`;
  return (
    <div className={styles.marks}>
      <h4>Target and limits</h4>
      {limits.length + targets.length === 0 ? <p className={styles.empty}>Not known for this time.</p> : null}
      <ul>
        {targets.map((target) => (
          <li key={`target ${target.from}`}>
            Target {target.low} to {target.high} {unit}, {span(target)}
          </li>
        ))}
        {limits.map((limit) => (
          <li key={`${limit.priority} ${limit.is} ${limit.value} ${limit.onOxygen} ${limit.from}`}>
            {limit.priority === 'high' ? 'High' : 'Medium'} limit {limitText(limit)} {unit}
            {limit.onOxygen ? ' on oxygen' : ''}, {span(limit)}
          </li>
        ))}
      </ul>
      <h4>Alerts</h4>
      {alerts.length === 0 ? <p className={styles.empty}>None in this time.</p> : null}
      <ul>
        {alerts.map((alert) => (
          <li key={alert.id}>
            <AlertLine alert={alert} timeZone={timeZone} />
          </li>
        ))}
      </ul>
      {hasMoreAlerts ? <p className={styles.empty}>Older alerts of this time are not shown.</p> : null}
      <h4>Notes</h4>
      {notes.length === 0 ? <p className={styles.empty}>None in this time.</p> : null}
      <ul>
        {notes.map(({ id, type, eventTime }) => (
          <li key={id}>
            {noteTypes[type]} note, {formatDayAndTime(Date.parse(eventTime), timeZone)}
          </li>
        ))}
      </ul>
    </div>
  );
}
