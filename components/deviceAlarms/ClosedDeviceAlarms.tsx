import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import { closedWords, deviceAlarmNotice, priorityWords } from '../../lib/deviceAlarms/deviceAlarmWords';
import { formatClock } from '../../lib/time/formatTime';
import { AsyncView } from '../ui/AsyncView';
import { Disclosure } from '../ui/Disclosure';
import styles from './DeviceAlarms.module.css';

interface ClosedDeviceAlarmsProps {
  patientId: number;
  /** The server's time at the first paint, epoch milliseconds. */
  initialNow: number;
  timeZone: string;
}

/** The alarms of devices that were closed in the last 24 hours. Read only while it is open. */
export function ClosedDeviceAlarms(props: ClosedDeviceAlarmsProps) {
  return (
    <Disclosure className={styles.list} summary="Earlier alarms of devices, 24 h">
      {() => <Alarms {...props} />}
    </Disclosure>
  );
}

function Alarms({ patientId, initialNow, timeZone }: ClosedDeviceAlarmsProps) {
  const now = useNow(initialNow);
  const answer = useRead('listClosedDeviceAlarms', { params: { id: patientId } }, { everyMs: 30_000 });
  return (
    <AsyncView
      answer={answer}
      isEmpty={({ items }) => items.length === 0}
      skeleton={<p>Alarms are loading</p>}
      empty={() => <p>No alarm of a device was closed in the last 24 h.</p>}
      timeZone={timeZone}
    >
      {({ items, hasMore }) => (
        <>
          <p>{deviceAlarmNotice}</p>
          <table>
            <thead>
              <tr>
                <th scope="col">Alarm</th>
                <th scope="col">Priority</th>
                <th scope="col">From</th>
                <th scope="col">To</th>
                <th scope="col">Device</th>
              </tr>
            </thead>
            <tbody>
              {items.map((alarm) => (
                <tr key={alarm.id}>
                  <td>{alarm.text}</td>
                  <td>{priorityWords(alarm)}</td>
                  <td>{formatClock(Date.parse(alarm.startedAt), now, timeZone)}</td>
                  <td>{closedWords(alarm, now, timeZone)}</td>
                  <td>{alarm.source}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {hasMore ? <p>Older alarms of this time are not shown.</p> : null}
        </>
      )}
    </AsyncView>
  );
}
