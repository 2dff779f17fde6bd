import type { Kysely } from 'kysely';
import { ageFrom } from '../lib/vitals/deviceClock';
import type { AlertFaults } from './alerts/alertFaults';
import { readOpenPauses } from './alerts/openPauses';
import type { Store } from './db/open';
import type { EpochMs } from '../lib/time/epochMs';
import type { Database } from './db/schema';
import { keptMs, bedKey, type BedMove } from './patients/bedStays';
import { readNewestReports } from './symptoms/newestReports';
import { LiveState } from './liveState';
import { isQuestionable } from './vitals/qualityCode';
import { toSample } from './vitals/samples';

/** Resolves with the moves of all patients since `since` (epoch milliseconds) into a bed or out of one. */
async function readMoves(db: Kysely<Database>, since: EpochMs): Promise<BedMove[]> {
  const rows = await db
    .selectFrom('patient_moves')
    .selectAll()
    .where('moved_at', '>=', since)
    .orderBy('moved_at')
    .orderBy('id')
    .execute();
  return rows
    .map((row) => ({
      patientId: row.patient_id,
      at: row.moved_at,
      from: bedKey(row.from_unit_id, row.from_bed),
      to: bedKey(row.to_unit_id, row.to_bed),
      isReleased: row.released_at !== null,
    }))
    .filter(({ from, to }) => from !== to);
}

/**
 * Loads patients, their standbys and comfort cares, devices and their alarms, assignments, newest symptoms and latest
 * values from the store.
 * `restoreRollups` adds newer samples.
 */
export async function loadWard(store: Store, faults: AlertFaults, now: EpochMs): Promise<LiveState> {
  const liveState = new LiveState();
  for (const row of await store.db.selectFrom('devices').selectAll().execute()) {
    liveState.devices.set(row.id, row);
    if (row.clock_offset_ms !== null) {
      liveState.deviceClocks.set(row.id, { offsetMs: row.clock_offset_ms, candidate: null, late: null });
    }
  }
  for (const row of await store.db.selectFrom('units').selectAll().execute()) {
    liveState.putUnit(row);
  }
  const assignments = store.db
    .selectFrom('device_assignments')
    .selectAll()
    .where(({ eb, or }) => or([eb('ended_at', 'is', null), eb('ended_at', '>', now - keptMs)]))
    .orderBy('id');
  for (const row of await assignments.execute()) {
    liveState.deviceStays.put(row.device_id, row.patient_id, row.assigned_at);
    if (row.ended_at !== null) {
      liveState.deviceStays.put(row.device_id, null, row.ended_at);
    }
    if (row.wrong_at !== null) {
      liveState.deviceStays.drop(row.device_id, row, row.wrong_at);
    }
  }
  const { standbys, comfortCares } = await readOpenPauses(store.db, null, faults);
  for (const row of await store.db.selectFrom('patients').selectAll().execute()) {
    liveState.putPatient(row, null);
    liveState.putPauses(row, { standby: standbys.get(row.id), comfortCare: comfortCares.get(row.id) });
  }
  liveState.bedStays.load(await readMoves(store.db, now - keptMs));
  for (const [id, reports] of await readNewestReports(store.db, now, null, faults)) {
    liveState.symptoms.take({ id, site_id: liveState.patients.get(id)?.site_id ?? 0 }, reports);
  }
  for (const row of await store.db.selectFrom('device_alarms').selectAll().where('ended_at', 'is', null).execute()) {
    liveState.deviceAlarms.load(row);
  }
  for (const row of await store.db.selectFrom('latest_values').selectAll().execute()) {
    liveState.putLatest({
      sample: toSample({ ...row, minute: row.minute ?? Math.floor(row.taken_at / 60_000) }),
      asOf: ageFrom(row.taken_at, row.offset_ms, row.received_at),
      valid:
        row.valid_value === null || row.valid_taken_at === null || row.valid_as_of === null
          ? null
          : {
              value: row.valid_value,
              takenAt: row.valid_taken_at,
              deviceId: row.device_id,
              asOf: row.valid_as_of,
              ...(row.valid_taken_at === row.taken_at && isQuestionable(row.quality) ? { isUncertain: true } : {}),
            },
    });
  }
  return liveState;
}
