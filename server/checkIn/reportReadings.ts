import { checkInReadings, type CheckInReadings } from '../../lib/checkIn/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { isVitalKind, kinds, vitalKinds, type VitalKind } from '../../lib/vitals/kinds';
import type { PatientRow } from '../db/rows';
import type { SampleKey } from '../vitals/sample';
import type { Server } from '../server';
import type { StoredReport } from '../symptoms/queries';
import { recordReadings } from '../vitals/manualReadings';
import { sourceOfLink } from '../vitals/manualSource';
import { samplesOfMinutes } from '../vitals/samples';

type Report = Pick<StoredReport, 'id' | 'patient_id' | 'link_id' | 'readings' | 'readings_at' | 'reported_at'>;

/** Returns the readings that came with a report, by kind. */
export function readingsOf({ readings }: Pick<Report, 'readings'>): CheckInReadings {
  return checkInReadings.parse(Object.fromEntries(JSON.parse(readings) as []));
}

/**
 * Stores the readings of a check-in as samples, once however often it is called and however the clock moved meanwhile:
 * they are found by the time that is stored with the report. If the report was marked as entered in error since, they
 * are withdrawn again. Rejects with 409 `patient_discharged` if the patient was discharged meanwhile.
 */
export async function storeReadings(
  server: Pick<Server, 'store' | 'recorder' | 'alerts'>,
  now: EpochMs,
  patient: PatientRow,
  report: Report,
): Promise<void> {
  const { link_id, readings_at, reported_at } = report;
  const keys = keysOf(report);
  if (link_id === null || readings_at === null || keys.length === 0) {
    return;
  }
  const stored = new Set(await storedKinds(server, keys));
  const missing = Object.fromEntries(
    Object.entries(readingsOf(report)).filter(([kind]) => isVitalKind(kind) && !stored.has(kinds[kind].code)),
  );
  if (Object.keys(missing).length > 0) {
    await recordReadings(server, now, patient, sourceOfLink(link_id), toInstant(readings_at), missing, {
      // A step of the clock moves the report and no `takenAt`.
      offsetMs: reported_at - readings_at,
    });
  }
  const { in_error_at } = await server.store.db
    .selectFrom('symptom_reports')
    .select('in_error_at')
    .where('id', '=', report.id)
    .executeTakeFirstOrThrow();
  if (in_error_at !== null) {
    await withdrawReadings(server, now, report);
  }
}

/**
 * Withdraws the samples that came with a report which was entered in error: they count as latest values no more, and
 * what they raised is over. Does nothing if none are stored, or all are withdrawn.
 */
export async function withdrawReadings(
  { recorder, alerts }: Pick<Server, 'recorder' | 'alerts'>,
  now: EpochMs,
  report: Report,
): Promise<void> {
  const keys = keysOf(report);
  if (keys.length > 0) {
    await recorder.withdraw(keys, now);
    await alerts.scored(report.patient_id);
  }
}

/** A report that was marked within this time may still have its readings at a start, in milliseconds. */
const withdrawnAgainMs = 7 * 24 * 3_600_000;

/** Withdraws the readings of reports that were marked as entered in error just before the server stopped. */
export async function withdrawLeft(server: Pick<Server, 'store' | 'recorder' | 'alerts'>, now: EpochMs): Promise<void> {
  const marked = await server.store.db
    .selectFrom('symptom_reports')
    .select(['id', 'patient_id', 'link_id', 'readings', 'readings_at', 'reported_at'])
    .where('in_error_at', '>=', now - withdrawnAgainMs)
    .where('readings_at', 'is not', null)
    .execute();
  for (const report of marked) {
    await withdrawReadings(server, now, report);
  }
}

function keysOf(report: Report): SampleKey[] {
  const { link_id, readings_at, patient_id } = report;
  if (link_id === null || readings_at === null) {
    return [];
  }
  const key = { patientId: patient_id, takenAt: readings_at, deviceId: sourceOfLink(link_id) };
  return readingKindsOf(report).map((kind) => ({ ...key, kind: kinds[kind].code }));
}

/** Returns the kinds of the readings that came with a report: all that there are if it cannot be read. */
export function readingKindsOf(report: Pick<Report, 'readings'>): VitalKind[] {
  try {
    return Object.keys(readingsOf(report)).filter(isVitalKind);
  } catch {
    return [...vitalKinds];
  }
}

/** Resolves with the codes of the kinds whose samples are stored. */
async function storedKinds({ store }: Pick<Server, 'store'>, keys: readonly SampleKey[]): Promise<number[]> {
  const { rows } = await samplesOfMinutes(
    keys.map(({ patientId, kind, takenAt }) => ({
      minute: Math.floor(takenAt / 60_000),
      patient_id: patientId,
      kind,
    })),
  ).execute(store.db);
  return rows
    .filter(({ device_id, taken_at }) => keys.some((key) => key.deviceId === device_id && key.takenAt === taken_at))
    .map(({ kind }) => kind);
}
