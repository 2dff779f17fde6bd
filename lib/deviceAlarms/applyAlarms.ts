import type { EpochMs } from '../time/epochMs';
import type { HeardAlarm, TimedAlarm } from './heardAlarm';

/** An alarm that the device has not ended, as far as we know. Times are those of our clock. */
export interface OpenAlarm extends Pick<
  HeardAlarm,
  'key' | 'code' | 'text' | 'priority' | 'isTechnical' | 'inactivation' | 'isEvent'
> {
  patientId: number;
  startedAt: EpochMs;
  /** When the device last said that it lasts. */
  lastSeenAt: EpochMs;
}

/** What a message says of the alarms of a monitor about its patient. Times are those of our clock. */
export interface HeardAlarms {
  alarms: readonly TimedAlarm[];
  /** The time of what else it says of the patient: an alarm text that is not beside it is over. Null: nothing else. */
  fullAt: EpochMs | null;
}

export interface AlarmChanges {
  begun: OpenAlarm[];
  /** Those that were open, as they are now. */
  seen: OpenAlarm[];
  /** An end is never before the beginning. */
  ended: { alarm: OpenAlarm; endedAt: EpochMs }[];
  /** What came too late or without a beginning: it ended when it was seen. */
  past: OpenAlarm[];
}

/**
 * Returns what a message changes of the open alarms of a monitor and a patient:
 * - an event begins and ends when the device says so, at whatever time;
 * - a text ends with the next message that is without it, and one in a message that is older than the newest (of
 *   `newestAt`) begins and ends nothing, so that the order of messages does not matter.
 */
export function applyAlarms(
  open: readonly OpenAlarm[],
  patientId: number,
  { alarms, fullAt }: HeardAlarms,
  newestAt: EpochMs,
): AlarmChanges {
  const changes: AlarmChanges = { begun: [], seen: [], ended: [], past: [] };
  const known = new Map(open.map((alarm) => [alarm.key, alarm]));
  // Two texts that differ by their numbers alone are one alarm.
  const last = new Map(alarms.map((alarm) => [alarm.key, alarm]));
  for (const { at, isEnded, ...alarm } of last.values()) {
    const own = known.get(alarm.key);
    const now = { ...alarm, patientId, startedAt: own?.startedAt ?? at, lastSeenAt: at };
    if (own !== undefined && isEnded) {
      known.delete(alarm.key);
      const endedAt = Math.max(at, own.startedAt);
      changes.ended.push({ alarm: { ...now, lastSeenAt: Math.max(at, own.lastSeenAt) }, endedAt });
    } else if (own !== undefined && at >= own.lastSeenAt) {
      known.set(alarm.key, now);
      changes.seen.push(now);
    } else if (own !== undefined) {
      // Older than what is known of it. Before its beginning it was another one.
      if (at < own.startedAt) {
        changes.past.push({ ...now, startedAt: at });
      }
    } else if (isEnded || (at < newestAt && !alarm.isEvent)) {
      changes.past.push(now);
    } else {
      known.set(alarm.key, now);
      changes.begun.push(now);
    }
  }
  if (fullAt !== null && fullAt >= newestAt) {
    for (const alarm of known.values()) {
      if (!alarm.isEvent && !last.has(alarm.key) && alarm.lastSeenAt < fullAt) {
        changes.ended.push({ alarm, endedAt: fullAt });
      }
    }
  }
  return changes;
}
