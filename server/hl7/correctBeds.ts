import { setImmediate as turn } from 'node:timers/promises';
import { streamsOf } from '../../lib/alerts/ruleState';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { ageFrom } from '../../lib/vitals/deviceClock';
import { kindOfCode, kinds, vitalKinds, type VitalKind } from '../../lib/vitals/kinds';
import type { RejectionCode } from '../../lib/vitals/schema';
import { audit } from '../audit';
import { system } from '../audit/actor';
import type { BedCorrectionRow } from '../db/rows';
import type { LiveState } from '../liveState';
import { bedKey, type Occupancy } from '../patients/bedStays';
import type { Server } from '../server';
import { samplesOfMinutes, toSample } from '../vitals/samples';
import { isClockKnown, isWithdrawn } from '../vitals/qualityCode';
import type { Sample } from '../vitals/sample';
import { furthestMs } from './sortValues';

/** A value that came so long after a correction was made was given to its patient by what is right since. */
const settledMs = 15_000;
/** Minutes of a series that are read in one step. */
const minutesPerStep = 60;

type Parts = Pick<Server, 'store' | 'liveState' | 'recorder' | 'alerts' | 'now'>;

/**
 * Withdraws what came by beds and is under a wrong patient, because a move was entered late or a mapping was wrong, and
 * notes it in quarantine; alerts that it alone raised are over. It looks at once, and again when every value is in the
 * store that was on its way. `signal` ends it after the current step; the next run goes on. Rejects with the last
 * failure, after the other corrections were tried.
 */
export async function correctBeds(parts: Parts, signal: AbortSignal): Promise<void> {
  const open = await parts.store.db
    .selectFrom('bed_corrections')
    .selectAll()
    .where('done_at', 'is', null)
    .orderBy('id')
    .execute();
  const failures: unknown[] = [];
  for (const correction of open) {
    if (signal.aborted) {
      return;
    }
    await correct(parts, correction, signal).catch((error: unknown) => {
      failures.push(error);
    });
  }
  if (failures.length > 0) {
    throw failures.at(-1);
  }
}

async function correct(parts: Parts, correction: BedCorrectionRow, signal: AbortSignal): Promise<void> {
  const { store, now } = parts;
  const isFirst = correction.withdrawn_at === null;
  if (!isFirst && now() < correction.made_at + settledMs) {
    return;
  }
  await withdrawWrong(parts, correction, signal);
  if (!signal.aborted) {
    await store.db
      .updateTable('bed_corrections')
      .set(isFirst ? { withdrawn_at: now() } : { done_at: now() })
      .where('id', '=', correction.id)
      .execute();
  }
}

/** Withdraws the values of a sender's bed that are not of the patient who was there. */
async function withdrawWrong(parts: Parts, correction: BedCorrectionRow, signal: AbortSignal): Promise<void> {
  const { store, liveState, recorder, alerts, now } = parts;
  const { sender_id, sender_bed, since } = correction;
  const until = correction.until ?? correction.made_at + settledMs;
  const deviceIds = new Set(
    [...liveState.devices.values()]
      .filter((device) => device.sender_id === sender_id && device.sender_bed === sender_bed)
      .map(({ id }) => id),
  );
  const occupancyAt = createOccupancyAt(liveState, correction);
  /** The kinds of what is withdrawn, also by a run before this one that was cut off, by patient. */
  const corrected = new Map<number, Set<VitalKind>>();
  for (const { patientId, kind, newestAt } of seriesOf(parts, correction, deviceIds)) {
    let isRecorded = false;
    // The newest first: they are on the screens.
    for (let last = minuteOf(newestAt); last >= minuteOf(since - furthestMs); last -= minutesPerStep) {
      if (signal.aborted) {
        return;
      }
      // SQLite answers at once: without this everybody else would wait for all of a day.
      await turn();
      const minutes = Array.from({ length: minutesPerStep }, (_, index) => ({
        minute: last - index,
        patient_id: patientId,
        kind,
      }));
      const { rows } = await samplesOfMinutes(minutes).execute(store.db);
      const came = rows
        .map(toSample)
        .filter(({ deviceId, receivedAt }) => deviceIds.has(deviceId) && receivedAt >= since && receivedAt <= until);
      const wrong = came
        .filter(({ quality }) => !isWithdrawn(quality))
        .map((sample) => ({ sample, occupancy: occupancyAt(sample) }))
        .filter(({ occupancy }) => !('patientId' in occupancy && occupancy.patientId === patientId));
      if (wrong.length > 0 || came.some(({ quality }) => isWithdrawn(quality))) {
        corrected.set(patientId, (corrected.get(patientId) ?? new Set()).add(kindOfCode(kind)));
      }
      if (wrong.length > 0) {
        if (!isRecorded) {
          // Before it happens, once for each kind of a patient.
          isRecorded = true;
          await recordCorrection(parts, correction, patientId);
        }
        await quarantineWrong(parts, correction, wrong);
        await recorder.withdraw(
          wrong.map(({ sample }) => sample),
          now(),
        );
      }
    }
  }
  for (const [patientId, measured] of corrected) {
    await alerts.valuesWithdrawn(patientId, measured, since);
  }
}

interface WrongSample {
  sample: Sample;
  occupancy: Occupancy | { code: 'unknown_bed' };
}

/**
 * Returns what finds out who was in the bed when a stored value was measured. What arrived late is as old as its
 * device's clock says; of a clock that is not known it is of one of those who were there until it arrived.
 */
function createOccupancyAt(
  { bedStays }: Pick<LiveState, 'bedStays'>,
  { unit_id, bed }: BedCorrectionRow,
): (sample: Sample) => WrongSample['occupancy'] {
  const key = bedKey(unit_id, bed);
  return ({ takenAt, offsetMs, receivedAt, quality }) => {
    const measuredAt = isClockKnown(quality) ? ageFrom(takenAt, offsetMs, receivedAt) : receivedAt;
    return key === null
      ? { code: 'unknown_bed' }
      : bedStays.occupantOf(key, Math.min(takenAt, measuredAt), Math.max(takenAt, measuredAt));
  };
}

/** Writes a row of quarantine for the values of each source, for each reason. */
async function quarantineWrong(
  { store, now }: Pick<Parts, 'store' | 'now'>,
  { site_id, sender_bed }: BedCorrectionRow,
  wrong: readonly WrongSample[],
): Promise<void> {
  const groups = new Map<string, { deviceId: number; code: RejectionCode; samples: Sample[] }>();
  for (const { sample, occupancy } of wrong) {
    // Those of the other one of two who swapped are as little this patient's as those of an empty bed.
    const code = 'code' in occupancy ? occupancy.code : 'identity_conflict';
    const key = `${sample.deviceId} ${code}`;
    const group = groups.get(key) ?? { deviceId: sample.deviceId, code, samples: [] };
    group.samples.push(sample);
    groups.set(key, group);
  }
  const rows = [...groups.values()].map(({ deviceId, code, samples }) => {
    const times = samples.map(({ takenAt }) => takenAt);
    const evidence = {
      bed: sender_bed,
      kind: kindOfCode(samples[0]?.kind ?? 0),
      count: samples.length,
      from: toInstant(times.reduce((a, b) => Math.min(a, b))),
      to: toInstant(times.reduce((a, b) => Math.max(a, b))),
    };
    return { site_id, device_id: deviceId, received_at: now(), code, sample: JSON.stringify(evidence) };
  });
  await store.db.insertInto('quarantine').values(rows).execute();
}

/**
 * Returns the series of patients for which any of these devices may have a value, and the time of its newest: those
 * with a latest one; the second time also those of the rules for patients with an open alert. All of their values may
 * be withdrawn already, by a run that was cut off before it evaluated what is left.
 */
function seriesOf(
  { liveState, alerts, now }: Pick<Parts, 'liveState' | 'alerts' | 'now'>,
  { site_id: siteId, withdrawn_at }: Pick<BedCorrectionRow, 'site_id' | 'withdrawn_at'>,
  deviceIds: ReadonlySet<number>,
): { patientId: number; kind: number; newestAt: EpochMs }[] {
  const alerting = new Set(withdrawn_at === null ? [] : alerts.listOpen(siteId).map(({ patientId }) => patientId));
  const patients = [...liveState.patients.values()].filter(({ site_id }) => site_id === siteId);
  return patients.flatMap(({ id: patientId }) =>
    vitalKinds.flatMap((name) => {
      const kind = kinds[name].code;
      const times = liveState
        .latestOfDevices(patientId, kind)
        .flatMap(({ sample }) => (deviceIds.has(sample.deviceId) ? [sample.takenAt] : []));
      const isOfRules = alerting.has(patientId) && streamsOf(new Set([name])).length > 0;
      const all = isOfRules ? [...times, now()] : times;
      return all.length === 0 ? [] : [{ patientId, kind, newestAt: Math.max(...all) }];
    }),
  );
}

async function recordCorrection(
  { store, now }: Pick<Parts, 'store' | 'now'>,
  { id, site_id, sender_id, made_by }: BedCorrectionRow,
  patientId: number,
): Promise<void> {
  await audit(
    store.db,
    now(),
    { ...system, siteId: site_id },
    {
      action: 'withdraw_values',
      outcome: 'done',
      objectType: 'patient',
      objectId: patientId,
      details: { sender: sender_id, correction: id, ...(made_by === null ? {} : { by: made_by }) },
    },
  );
}

const minuteOf = (at: EpochMs): number => Math.floor(at / 60_000);
