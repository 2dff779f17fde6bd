import { memo } from 'react';
import { alertLook, alertWords, type AlertLook } from '../../lib/alerts/numberMark';
import { parameterLabels, type Parameter } from '../../lib/alerts/parameters';
import type { Priority } from '../../lib/alerts/priority';
import { allDeviceAlarmWords, deviceAlarmMark } from '../../lib/deviceAlarms/deviceAlarmWords';
import type { Patient, PatientAlert } from '../../lib/patients/schema';
import { formatAge, formatTime } from '../../lib/time/formatTime';
import { parseInstant } from '../../lib/time/parseInstant';
import { PriorityShape } from '../ui/PriorityShape';
import styles from './AlertCell.module.css';

interface AlertCellProps {
  patient: Pick<Patient, 'alerts' | 'deviceAlarms'>;
  /** The server's time, and since when it has not responded, epoch milliseconds. */
  now: number;
  serverLost: number | null;
  timeZone: string;
}

/**
 * The most urgent open alert of a row: its shape, its age and who has it; below them what the columns do not show, and
 * the alarm of a device. While the server does not answer, the time at which it was raised takes the place of the age.
 */
export function AlertCell({ patient: { alerts, deviceAlarms }, now, serverLost, timeZone }: AlertCellProps) {
  const [worst, ...others] = alerts;
  const device = deviceAlarmMark(deviceAlarms, { now, serverLost });
  const deviceWords = device === '' ? '' : allDeviceAlarmWords(deviceAlarms, { now, serverLost, timeZone });
  if (worst === undefined) {
    return device === '' ? null : <DeviceText mark={device} words={deviceWords} />;
  }
  const { priority, owner, parameter } = worst;
  const raisedAt = parseInstant(worst.raisedAt) ?? now;
  const isLost = serverLost !== null;
  const confirming = isLost ? null : confirmingWords(worst, now);
  return (
    <AlertText
      priority={priority}
      // An ended one that was acknowledged is closed with that, unless someone still has it.
      look={alertLook(worst) ?? 'dashed'}
      age={isLost ? formatTime(raisedAt, timeZone) : formatAge(Math.max(0, now - raisedAt))}
      ago={isLost ? '' : ' ago'}
      owner={owner}
      more={[confirming ?? nameWithoutColumn(parameter), countWords(others.length), device]
        .filter((part) => part !== '')
        .join(' ')}
      words={`${alertWords(worst)}: ${parameterLabels[parameter]}, raised `}
      deviceWords={deviceWords}
    />
  );
}

/** The parameters whose own numbers in the row show their alerts. */
const withColumn: ReadonlySet<Parameter> = new Set<Parameter>(['spo2', 'rate', 'news2']);

function nameWithoutColumn(parameter: Parameter): string {
  return withColumn.has(parameter) ? '' : parameterLabels[parameter];
}

function countWords(count: number): string {
  return count === 0 ? '' : `+${count}`;
}

const secondMs = 1_000;

/** Returns how long a second reading is still awaited: "confirming 0:40"; null if it is not. */
function confirmingWords({ confirmBy }: PatientAlert, now: number): string | null {
  const leftMs = confirmBy === null ? 0 : (parseInstant(confirmBy) ?? now) - now;
  if (leftMs <= 0) {
    return null;
  }
  const seconds = Math.ceil(leftMs / secondMs);
  return `confirming ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** It has neither shape nor colour of ours: the row is where it would be without it. */
const DeviceText = memo(function DeviceText({ mark, words }: { mark: string; words: string }) {
  return (
    <span className={styles.more} title={words} data-device-alarm="">
      {mark}
    </span>
  );
});

interface AlertTextProps {
  priority: Priority;
  look: AlertLook;
  age: string;
  ago: string;
  owner: string | null;
  more: string;
  words: string;
  deviceWords: string;
}

/** Renders again only when something of it changes: all its props are texts. */
const AlertText = memo(function AlertText(props: AlertTextProps) {
  const { priority, look, age, ago, owner, more, words, deviceWords } = props;
  return (
    <span className={styles.alert} data-alert={look} data-current="">
      <PriorityShape priority={priority} look={look} size={22} />
      <span className={styles.text}>
        <span className={styles.line}>
          <span className="visually-hidden">{words}</span>
          <span className={look === 'filled' ? styles.age : undefined}>{age}</span>
          <span className="visually-hidden">{ago}</span>
          {owner === null ? null : (
            <span className={styles.owner} aria-hidden="true">
              {owner}
            </span>
          )}
        </span>
        {more === '' ? null : (
          <span className={styles.more} title={deviceWords === '' ? more : deviceWords}>
            <span className="visually-hidden">, </span>
            {more}
          </span>
        )}
      </span>
    </span>
  );
});
