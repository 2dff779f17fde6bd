import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
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
  const at = { now: useNow(initialNow), serverLost: useServerLost(), timeZone };
  const mark = deviceAlarmMark(alarms, at);
  return mark === '' ? null : (
    <a className={styles.mark} href={`#${listId}`} title={allDeviceAlarmWords(alarms, at)}>
      {mark}
    </a>
  );
}
