import { priorities, priorityLabels } from '../alerts/priority';
import { firstDifference } from '../sortOrder';
import type { EpochMs } from '../time/epochMs';
import { formatClock } from '../time/formatTime';
import { unknownAfterMs, type Inactivation } from './heardAlarm';
import type { ClosedDeviceAlarm, DeviceAlarm } from './schema';

/** Screens say it wherever they show alarms of devices (issue 19, point 6). */
export const deviceAlarmNotice =
  'Alarms of devices, as the devices report them. Wardlight gives them no sound, no owner and no escalation.';

const inactivationWords: Readonly<Record<Inactivation, string>> = {
  'audio-paused': 'sound paused at the device',
  'audio-off': 'sound off at the device',
  'alarm-paused': 'paused at the device',
  'alarm-off': 'off at the device',
  'alert-acknowledged': 'acknowledged at the device',
};

/** The moment at which a screen shows something. */
export interface ShownAt {
  now: EpochMs;
  /** Since when the server has not responded, epoch milliseconds; null while it responds. */
  serverLost: EpochMs | null;
  timeZone: string;
}

/**
 * Returns since when it is not known whether an alarm lasts, epoch milliseconds; null: it lasts. While the server does
 * not answer it is known of none.
 */
function unknownSince({ lastSeenAt }: DeviceAlarm, { now, serverLost }: Omit<ShownAt, 'timeZone'>): EpochMs | null {
  const at = Date.parse(lastSeenAt);
  return serverLost !== null || now - at > unknownAfterMs ? at : null;
}

/** Returns what an alarm says, and what a person has to know of it: "RR 40 >30 (unknown since 10:04)". */
export function deviceAlarmWords(alarm: DeviceAlarm, at: ShownAt): string {
  const since = unknownSince(alarm, at);
  const notes = [
    since === null ? null : `unknown since ${formatClock(since, at.now, at.timeZone)}`,
    alarm.inactivation === null ? null : inactivationWords[alarm.inactivation],
  ].filter((note) => note !== null);
  return notes.length === 0 ? alarm.text : `${alarm.text} (${notes.join(', ')})`;
}

/** Returns the priority that a device gives its alarm: "Low, technical". */
export function priorityWords({ priority, isTechnical }: Pick<DeviceAlarm, 'priority' | 'isTechnical'>): string {
  return `${priority === null ? 'Not said' : priorityLabels[priority]}${isTechnical ? ', technical' : ''}`;
}

/** Returns when an alarm ended, or since when it is not known whether it lasted. */
export function closedWords({ endedAt, lastSeenAt }: ClosedDeviceAlarm, now: EpochMs, timeZone: string): string {
  return endedAt === null
    ? `unknown since ${formatClock(Date.parse(lastSeenAt), now, timeZone)}`
    : formatClock(Date.parse(endedAt), now, timeZone);
}

/** Returns alarms with the most urgent first: those that last, those about the patient, by priority, the newest. */
export function inOrderOfWeight(alarms: readonly DeviceAlarm[], at: Omit<ShownAt, 'timeZone'>): DeviceAlarm[] {
  const rank = ({ priority }: DeviceAlarm): number =>
    priority === null ? priorities.length : priorities.indexOf(priority);
  const isUnknown = (alarm: DeviceAlarm): number => (unknownSince(alarm, at) === null ? 0 : 1);
  return [...alarms].sort((a, b) =>
    firstDifference(
      isUnknown(a) - isUnknown(b),
      Number(a.isTechnical) - Number(b.isTechnical),
      rank(a) - rank(b),
      Date.parse(b.startedAt) - Date.parse(a.startedAt),
    ),
  );
}

/** Returns all alarms in words, the most urgent first, and what they are. */
export function allDeviceAlarmWords(alarms: readonly DeviceAlarm[], at: ShownAt): string {
  const words = inOrderOfWeight(alarms, at).map((alarm) => deviceAlarmWords(alarm, at));
  return `${words.join(' · ')}. ${deviceAlarmNotice}`;
}

/**
 * Returns that a device reports an alarm about the patient, for a place that is too narrow for its numbers: one that is
 * cut is a wrong one. With a question mark if it is not known whether it lasts; '' if there is none.
 */
export function deviceAlarmMark(alarms: readonly DeviceAlarm[], at: Omit<ShownAt, 'timeZone'>): string {
  const [worst] = inOrderOfWeight(alarms, at).filter(({ isTechnical }) => !isTechnical);
  return worst === undefined ? '' : unknownSince(worst, at) === null ? 'Device alarm' : 'Device alarm?';
}

/** Returns the most urgent alarm and how many others there are, "Device: RR 40 >30 +2"; '' without any. */
export function deviceAlarmSummary(alarms: readonly DeviceAlarm[], at: ShownAt): string {
  const [worst, ...others] = inOrderOfWeight(alarms, at);
  if (worst === undefined) {
    return '';
  }
  return `Device: ${deviceAlarmWords(worst, at)}${others.length === 0 ? '' : ` +${others.length}`}`;
}
