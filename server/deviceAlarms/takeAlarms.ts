import { applyAlarms, type OpenAlarm } from '../../lib/deviceAlarms/applyAlarms';
import type { TimedAlarm } from '../../lib/deviceAlarms/heardAlarm';
import type { EpochMs } from '../../lib/time/epochMs';
import { ageFrom, stepDeviceClock, type DeviceClock } from '../../lib/vitals/deviceClock';
import type { Store } from '../db/open';
import { createMessageQueue } from '../hl7/createMessageQueue';
import type { LiveState } from '../liveState';
import { endUnknown, insertAlarm, isOnRecord, isOver, updateAlarm } from './alarmRows';
import type { MonitorKey, StoredAlarm } from './deviceAlarmBoard';

/** What came late is stored up to so many of a message, monitor and patient. */
const mostPast = 50;
/** A message is of so many monitors at most. */
const mostMonitors = 100;
/** So often it is stored that an alarm lasts, in milliseconds: after a start it is that much older at most. */
const storeSeenEveryMs = 60_000;
/** A monitor that has said nothing of a patient for so long, and speaks of another one, is the other one's. */
const othersAfterMs = 60_000;

/** What a message says of one monitor and one patient. Times are those of the device. */
export interface MonitorAlarms extends MonitorKey {
  siteId: number;
  receivedAt: EpochMs;
  alarms: readonly TimedAlarm[];
  /** The time of what else it says of the patient; null: nothing. */
  fullAt: EpochMs | null;
  /** It speaks of several patients in turn. */
  isShared: boolean;
}

export type TakeAlarms = (heard: readonly MonitorAlarms[]) => Promise<void>;

/** What a message changes of one monitor and patient. */
interface Change {
  heard: MonitorAlarms;
  clock: DeviceClock;
  /** The time of the message by our clock. */
  at: EpochMs;
  added: OpenAlarm[];
  seen: (StoredAlarm & { isDue: boolean })[];
  /** `isEndUnknown`: nothing more is heard of it, and it may last. */
  ended: { alarm: StoredAlarm; endedAt: EpochMs; isEndUnknown: boolean }[];
  past: OpenAlarm[];
}

/** Creates the function that stores what devices say of their alarms and resolves after the commit. */
export function createTakeAlarms({ db }: Store, { deviceAlarms: board }: Pick<LiveState, 'deviceAlarms'>): TakeAlarms {
  /** One after another: what a message changes depends on the one before. */
  const queue = createMessageQueue('alarms');

  const changeOf = (heard: MonitorAlarms): Change[] => {
    const { patientId, receivedAt } = heard;
    const takenAt = [...heard.alarms.map(({ at }) => at), ...(heard.fullAt === null ? [] : [heard.fullAt])];
    if (takenAt.length === 0) {
      return [];
    }
    const { clock } = stepDeviceClock(board.clockOf(heard), { receivedAt, sentAt: null, takenAt });
    // Until the clock is known its own times count as they are: a guess for each message would change their order.
    const offsetMs = clock.offsetMs ?? 0;
    const ours = (at: EpochMs): EpochMs => ageFrom(at, offsetMs, receivedAt);
    const alarms = heard.alarms.map((alarm) => ({ ...alarm, at: ours(alarm.at), startedAt: ours(alarm.startedAt) }));
    const fullAt = heard.fullAt === null ? null : ours(heard.fullAt);
    // Nothing was heard later than now, whatever the server's clock was.
    const open = board.openOf(heard).map((one) => ({ ...one, lastSeenAt: Math.min(one.lastSeenAt, receivedAt) }));
    const newestAt = Math.min(board.newestOf(heard), receivedAt);
    const known = new Map(open.map((one) => [one.key, one]));
    const changes = applyAlarms(open, patientId, { alarms, fullAt }, newestAt);
    const at = Math.max(...takenAt.map(ours));
    const ofOthers = fullAt === null || heard.isShared ? [] : board.openOfOthers(heard, fullAt - othersAfterMs);
    const withStored = (alarm: OpenAlarm): StoredAlarm[] => {
      const before = known.get(alarm.key);
      return before === undefined ? [] : [{ ...before, ...alarm, isSaid: true }];
    };
    return [
      {
        ...{ heard, clock, at, added: changes.begun, past: changes.past.slice(0, mostPast) },
        seen: changes.seen.flatMap((alarm) =>
          withStored(alarm).map((now) => ({ ...now, isDue: isDue(now, known.get(now.key)) })),
        ),
        ended: [
          ...changes.ended.flatMap(({ alarm, endedAt }) =>
            withStored(alarm).map((now) => ({ alarm: now, endedAt, isEndUnknown: false })),
          ),
          ...[...changes.dropped.flatMap(withStored), ...ofOthers].map((alarm) => ({
            ...{ alarm, endedAt: Math.max(alarm.lastSeenAt, at), isEndUnknown: true },
          })),
        ],
      },
    ];
  };

  /** Stores changes in one transaction and resolves with what it has added, by the change's alarm. */
  const store = async (changes: readonly Change[], givenUp: AbortSignal): Promise<Map<OpenAlarm, number>> =>
    await db.transaction().execute(async (transaction) => {
      const ids = new Map<OpenAlarm, number>();
      for (const { heard, added, seen, ended, past } of changes) {
        for (const { alarm, endedAt, isEndUnknown } of ended) {
          await updateAlarm(transaction, alarm, { ended_at: endedAt, is_end_unknown: isEndUnknown ? 1 : 0 });
        }
        for (const alarm of seen.filter((one) => one.isDue)) {
          await updateAlarm(transaction, alarm, {});
        }
        for (const alarm of past) {
          if (!(await isOnRecord(transaction, heard, alarm))) {
            await insertAlarm(transaction, heard, alarm, alarm.lastSeenAt);
          }
        }
        for (const alarm of added) {
          if (!alarm.isEvent || !(await isOver(transaction, heard, alarm))) {
            await endUnknown(transaction, heard, alarm);
            ids.set(alarm, await insertAlarm(transaction, heard, alarm, null));
          }
        }
      }
      givenUp.throwIfAborted();
      return ids;
    });

  const publish = (changes: readonly Change[], ids: ReadonlyMap<OpenAlarm, number>): void => {
    for (const { heard, clock, at, added, seen, ended } of changes) {
      ended.forEach(({ alarm }) => board.remove(alarm));
      for (const { isDue: wasStored, ...alarm } of seen) {
        board.put({ ...alarm, storedSeenAt: wasStored ? alarm.lastSeenAt : alarm.storedSeenAt });
      }
      for (const alarm of added) {
        const id = ids.get(alarm);
        if (id !== undefined) {
          const { deviceId, siteId } = heard;
          board.put({ ...alarm, id, deviceId, siteId, storedSeenAt: alarm.lastSeenAt, isSaid: true });
        }
      }
      board.noteHeard(heard, at, clock);
    }
  };

  const take = async (all: readonly MonitorAlarms[], givenUp: AbortSignal): Promise<void> => {
    const changes = all.slice(0, mostMonitors).flatMap(changeOf);
    const isStored = changes.some(
      ({ added, seen, ended, past }) =>
        added.length + ended.length + past.length > 0 || seen.some((alarm) => alarm.isDue),
    );
    const ids = isStored ? await store(changes, givenUp) : new Map<OpenAlarm, number>();
    givenUp.throwIfAborted();
    publish(changes, ids);
  };

  /** Most messages have no alarm, where none is open: they wait for no other. */
  const concernsNone = (heard: MonitorAlarms): boolean =>
    heard.alarms.length === 0 &&
    board.openOf(heard).length === 0 &&
    (heard.isShared || board.openOfOthers(heard, Number.POSITIVE_INFINITY).length === 0);

  return async (all) => {
    if (all.every(concernsNone)) {
      publish(all.flatMap(changeOf), new Map());
    } else {
      await queue((givenUp) => take(all, givenUp));
    }
  };
}

/** Returns whether it has to be stored now that an alarm lasts. The numbers in a text change with each message. */
function isDue(alarm: StoredAlarm, before: StoredAlarm | undefined): boolean {
  return (
    before === undefined ||
    (alarm.isEvent && alarm.text !== before.text) ||
    alarm.priority !== before.priority ||
    alarm.isTechnical !== before.isTechnical ||
    alarm.inactivation !== before.inactivation ||
    alarm.lastSeenAt - before.storedSeenAt >= storeSeenEveryMs
  );
}
