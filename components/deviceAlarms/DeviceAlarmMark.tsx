import { useNow } from '../../hooks/useNow';
import { allDeviceAlarmWords, deviceAlarmMark } from '../../lib/deviceAlarms/deviceAlarmWords';
import type { DeviceAlarm } from '../../lib/deviceAlarms/schema';
import styles from './DeviceAlarms.module.css';

interface DeviceAlarmMarkProps {
  alarms: readonly DeviceAlarm[];
  /** The id of the list of them on the page. */
  listId: string;
  /** The server's time at the first paint, epoch milliseconds. */
  initialNow: number;
  timeZone: string;
}

/** That a device reports an alarm about the patient, with the way to all of them; nothing without one. */
export function DeviceAlarmMark({ alarms, listId, initialNow, timeZone }: DeviceAlarmMarkProps) {
  const now = useNow(initialNow);
  const mark = deviceAlarmMark(alarms, now);
  return mark === '' ? null : (
    <a className={styles.mark} href={`#${listId}`} title={allDeviceAlarmWords(alarms, now, timeZone)}>
      {mark}
    </a>
  );
}
