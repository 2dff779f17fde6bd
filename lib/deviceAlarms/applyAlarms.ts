import { priorities } from '../alerts/priority';
import { firstDifference } from '../sortOrder';
import type { EpochMs } from '../time/epochMs';
import { unknownAfterMs, type HeardAlarm, type TimedAlarm } from './heardAlarm';

/** Of a monitor and a patient: a device whose texts are counters would fill the memory. None shows as many at once. */
const mostOpen = 50;

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
  /** What made room for others: it is open no more, and whether it ended is not known. */
  dropped: OpenAlarm[];
  /** What came too late or without a beginning: it ended when it was seen. */
  past: OpenAlarm[];
}

/**
 * Returns what a message changes of the open alarms of a monitor and a patient:
 * - an event begins and ends when the device says so, at whatever time;
 * - a text ends with the next message that is without it, and one in a message that is older than the newest (of
 *   `newestAt`) begins and ends nothing, so that the order of messages does not matter;
 * - of more than 50 the least weighty gives way: one that was not said for a minute before all others, so that ends
 *   that were lost never hide a new alarm.
 */
export function applyAlarms(
  open: readonly OpenAlarm[],
  patientId: number,
  { alarms, fullAt }: HeardAlarms,
  newestAt: EpochMs,
): AlarmChanges {
  const changes: AlarmChanges = { begun: [], seen: [], ended: [], dropped: [], past: [] };
  const known = new Map(open.map((alarm) => [alarm.key, alarm]));
  // Two texts that differ by their numbers alone are one alarm.
  const last = new Map(alarms.map((alarm) => [alarm.key, alarm]));
  for (const { at, isEnded, ...alarm } of last.values()) {
    const own = known.get(alarm.key);
    const startedAt = Math.min(alarm.startedAt, at);
    const now = { ...alarm, patientId, startedAt: own?.startedAt ?? startedAt, lastSeenAt: at };
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
        changes.past.push({ ...now, startedAt });
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
        known.delete(alarm.key);
        changes.ended.push({ alarm, endedAt: fullAt });
      }
    }
  }
  const now = Math.max(newestAt, fullAt ?? Number.NEGATIVE_INFINITY, ...alarms.map(({ at }) => at));
  return known.size <= mostOpen ? changes : withRoom(changes, [...known.values()], now);
}

/** Those that were open come first in `all`: of equals they stay, or 60 texts would take turns with every message. */
function withRoom({ begun, seen, dropped, ...changes }: AlarmChanges, all: OpenAlarm[], now: EpochMs): AlarmChanges {
  const rank = ({ priority }: OpenAlarm): number =>
    priority === null ? priorities.length : priorities.indexOf(priority);
  const isUnknown = ({ lastSeenAt }: OpenAlarm): number => (now - lastSeenAt > unknownAfterMs ? 1 : 0);
  const inOrder = [...all].sort((a, b) =>
    firstDifference(
      isUnknown(a) - isUnknown(b),
      Number(a.isTechnical) - Number(b.isTechnical),
      rank(a) - rank(b),
      b.lastSeenAt - a.lastSeenAt,
    ),
  );
  const gone = new Set(inOrder.slice(mostOpen));
  const isNew = new Set(begun);
  return {
    ...changes,
    begun: begun.filter((alarm) => !gone.has(alarm)),
    seen: seen.filter((alarm) => !gone.has(alarm)),
    dropped: [...dropped, ...[...gone].filter((alarm) => !isNew.has(alarm))],
  };
}
