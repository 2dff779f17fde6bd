import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
import {
  deviceAlarmNotice,
  deviceAlarmWords,
  inOrderOfWeight,
  priorityWords,
} from '../../lib/deviceAlarms/deviceAlarmWords';
import type { DeviceAlarm } from '../../lib/deviceAlarms/schema';
import { formatClock } from '../../lib/time/formatTime';
import styles from './DeviceAlarms.module.css';

interface DeviceAlarmListProps {
  alarms: readonly DeviceAlarm[];
  /** By which the page leads to it. */
  id: string;
  /** The server's time at the first paint, epoch milliseconds. */
  initialNow: number;
  timeZone: string;
}

/** All alarms that devices report of a patient and have not ended, each with its source; nothing without one. */
export function DeviceAlarmList({ alarms, id, initialNow, timeZone }: DeviceAlarmListProps) {
  const now = useNow(initialNow);
  const at = { now, serverLost: useServerLost(), timeZone };
  if (alarms.length === 0) {
    return null;
  }
  return (
    <section id={id} className={styles.list} aria-label="Alarms of devices">
      <h3>Alarms of devices</h3>
      <p>{deviceAlarmNotice}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">Alarm</th>
            <th scope="col">Priority</th>
            <th scope="col">Since</th>
            <th scope="col">Device</th>
          </tr>
        </thead>
        <tbody>
          {inOrderOfWeight(alarms, at).map((alarm) => (
            <tr key={alarm.id}>
              <td>{deviceAlarmWords(alarm, at)}</td>
              <td>{priorityWords(alarm)}</td>
              <td>{formatClock(Date.parse(alarm.startedAt), now, timeZone)}</td>
              <td>{alarm.source}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
