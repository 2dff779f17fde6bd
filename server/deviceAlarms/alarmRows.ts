import type { Kysely } from 'kysely';
import type { OpenAlarm } from '../../lib/deviceAlarms/applyAlarms';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';
import type { MonitorKey, StoredAlarm } from './deviceAlarmBoard';

function factsOf({ code, text, priority, isTechnical, inactivation, lastSeenAt }: OpenAlarm) {
  return { code, text, priority, is_technical: isTechnical ? 1 : 0, inactivation, last_seen_at: lastSeenAt };
}

/** Stores what an open alarm is now, and its end if it has one. */
export async function updateAlarm(
  db: Kysely<Database>,
  alarm: StoredAlarm,
  more: { ended_at?: EpochMs; is_end_unknown?: number },
): Promise<void> {
  await db
    .updateTable('device_alarms')
    .set({ ...factsOf(alarm), ...more })
    .where('id', '=', alarm.id)
    .execute();
}

/** Stores an alarm and resolves with its id. */
export async function insertAlarm(
  db: Kysely<Database>,
  { deviceId, siteId }: { deviceId: number; siteId: number },
  alarm: OpenAlarm,
  endedAt: EpochMs | null,
): Promise<number> {
  const { id } = await db
    .insertInto('device_alarms')
    .values({
      ...{ site_id: siteId, device_id: deviceId, patient_id: alarm.patientId, alarm_key: alarm.key },
      ...{ ...factsOf(alarm), is_event: alarm.isEvent ? 1 : 0, started_at: alarm.startedAt, ended_at: endedAt },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Ends an open alarm that the board does not know: its commit was given up and succeeded after all. */
export async function endUnknown(
  db: Kysely<Database>,
  { deviceId, patientId }: MonitorKey,
  { key, lastSeenAt }: OpenAlarm,
): Promise<void> {
  await db
    .updateTable('device_alarms')
    .set({ ended_at: lastSeenAt })
    .where('device_id', '=', deviceId)
    .where('alarm_key', '=', key)
    .where('patient_id', '=', patientId)
    .where('ended_at', 'is', null)
    .execute();
}

/** Closes what is open of a patient who is discharged: whether it ends is not known, and they get no message. */
export async function closeAlarmsOf(db: Kysely<Database>, now: EpochMs, patientId: number): Promise<void> {
  await db
    .updateTable('device_alarms')
    .set({ ended_at: now, is_end_unknown: 1 })
    .where('patient_id', '=', patientId)
    .where('ended_at', 'is', null)
    .execute();
}

/** Returns the query of a patient's alarms that were closed since a time, the last one first. */
export function closedAlarms(db: Kysely<Database>, patientId: number, since: EpochMs) {
  return db
    .selectFrom('device_alarms')
    .select(['id', 'text', 'priority', 'is_technical', 'inactivation', 'device_id'])
    .select(['started_at', 'last_seen_at', 'ended_at', 'is_end_unknown'])
    .where('patient_id', '=', patientId)
    .where('ended_at', '>=', since)
    .orderBy('ended_at', 'desc')
    .orderBy('id', 'desc');
}

/** Resolves with whether an alarm of this time is stored, so that what comes again and late is there once. */
export async function isOnRecord(
  db: Kysely<Database>,
  { deviceId, patientId }: MonitorKey,
  { key, lastSeenAt }: OpenAlarm,
): Promise<boolean> {
  const row = await db
    .selectFrom('device_alarms')
    .select('ended_at')
    .where('device_id', '=', deviceId)
    .where('alarm_key', '=', key)
    .where('started_at', '<=', lastSeenAt)
    .where('patient_id', '=', patientId)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined && (row.ended_at === null || row.ended_at >= lastSeenAt);
}

/** Resolves with whether an event has ended at or after the time at which it was said: its beginning comes late. */
export async function isOver(
  db: Kysely<Database>,
  { deviceId, patientId }: MonitorKey,
  { key, lastSeenAt }: OpenAlarm,
): Promise<boolean> {
  const row = await db
    .selectFrom('device_alarms')
    .select('id')
    .where('device_id', '=', deviceId)
    .where('alarm_key', '=', key)
    .where('patient_id', '=', patientId)
    .where('ended_at', '>=', lastSeenAt)
    .where('is_end_unknown', '=', 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
