import type { EpochMs } from '../../lib/time/epochMs';
import { isInFuture } from '../../lib/time/isInFuture';
import { toInstant } from '../../lib/time/schema';
import { parseInstant } from '../../lib/time/parseInstant';
import { isVitalKind, type VitalKind } from '../../lib/vitals/kinds';
import type { NewReadings } from '../../lib/vitals/readingsSchema';
import { auditDone } from '../audit';
import type { Server } from '../server';
import { HttpError, invalid } from '../http/httpError';
import { patientDischarged, requireActivePatient } from '../patients/requirePatient';
import type { Writer } from '../patients/writerOf';
import type { PatientRow } from '../db/rows';
import { sourceOfUser } from './manualSource';
import { isSetWithdrawn } from './withdrawals';

/**
 * Stores readings that a user typed in, all or none, and returns the patient's row after the commit. A repeat changes
 * nothing; another value for the same moment corrects the first. Rejects with 404 if the patient is out of reach, with
 * 409 `patient_discharged` and `withdrawn_already`, and with 422 if the moment is in the future.
 */
export async function addReadings(
  { store, liveState, now, actor, user, scope }: Writer,
  recorder: Server['recorder'],
  patientId: number,
  { takenAt, readings }: NewReadings,
): Promise<PatientRow> {
  const patient = requireActivePatient(liveState, patientId, scope);
  const instant = takenAt ?? toInstant(now);
  if (isInFuture(parseInstant(instant) ?? now, now)) {
    throw invalid({ takenAt: 'lies in the future' }, 'The reading lies in the future.');
  }
  const key = { source: sourceOfUser(user.id), takenAt: parseInstant(instant) ?? now };
  if (await isSetWithdrawn(store.db, patient.id, key)) {
    const message = 'These readings were withdrawn: they were of another patient. Type those of this one again.';
    throw new HttpError(409, 'withdrawn_already', message);
  }
  const kinds = await recordReadings({ recorder }, now, patient, key.source, instant, readings);
  // The samples name the user who typed them in, so that a crash before this row loses only the address.
  await auditDone(store.db, now, actor, 'record_readings', ['patient', patient.id], { kinds, takenAt: instant });
  return patient;
}

/**
 * Stores readings that a person typed in, all or none, and returns their kinds. `takenAt` is by the server's clock;
 * `offsetMs` is how far someone has set that clock forward since, in milliseconds.
 * Rejects with 409 if the patient was discharged in the meantime.
 */
export async function recordReadings(
  { recorder }: Pick<Server, 'recorder'>,
  now: EpochMs,
  patient: Pick<PatientRow, 'id' | 'site_id'>,
  source: number,
  takenAt: string,
  readings: NewReadings['readings'],
  { offsetMs }: { offsetMs: number } = { offsetMs: 0 },
): Promise<VitalKind[]> {
  const kinds = Object.keys(readings).filter(isVitalKind);
  const { rejected } = await recorder.record({
    deviceId: source,
    siteId: patient.site_id,
    receivedAt: now,
    // People read the ward's clock, and the time of a phone is corrected: it needs no correction here.
    sentAt: toInstant(now - offsetMs),
    battery: null,
    samples: kinds.map((kind) => ({ patientId: patient.id, kind, value: readings[kind], takenAt, quality: 'good' })),
  });
  if (rejected.length > 0) {
    // The schema accepted all of them, so the patient was discharged in the meantime.
    throw patientDischarged();
  }
  return kinds;
}
