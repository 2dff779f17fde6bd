import type { Kysely } from 'kysely';
import { defaultSpo2Targets, type NewSpo2Target, type Spo2Target } from '../../lib/patients/spo2TargetSchema';
import { toInstant } from '../../lib/time/schema';
import { auditDone } from '../audit';
import type { Database } from '../db/schema';
import type { PatientRow } from '../db/rows';
import { requirePatient } from './requirePatient';
import { updatePatientRow } from './updatePatientRow';
import type { Writer } from './writerOf';

/** The most former targets in a response. */
const historyLength = 100;

/** Returns the scale and target of a patient with their history. A scale without a target has the usual one. */
export async function readSpo2Target(db: Kysely<Database>, patient: PatientRow): Promise<Spo2Target> {
  const rows = await db
    .selectFrom('spo2_targets')
    .innerJoin('users', 'users.id', 'spo2_targets.set_by')
    .selectAll('spo2_targets')
    .select(['users.fname', 'users.lname'])
    .where('patient_id', '=', patient.id)
    .orderBy('spo2_targets.id', 'desc')
    .limit(historyLength)
    .execute();
  const [newest] = rows;
  return {
    version: patient.version,
    scale: patient.spo2_scale,
    ...(newest === undefined ? defaultSpo2Targets[patient.spo2_scale] : { low: newest.low, high: newest.high }),
    isConfirmed: newest !== undefined,
    history: rows.map(({ scale, low, high, reason, set_at, set_by, fname, lname }) => ({
      scale,
      low,
      high,
      reason,
      setAt: toInstant(set_at),
      setBy: { id: set_by, name: `${fname} ${lname}` },
    })),
  };
}

/**
 * Sets scale and target with the reason and the user, and returns the patient's row after the commit. The reason stays
 * out of the audit. Rejects with 404 if the patient is out of reach, and with 409 `changed_meanwhile` if the version is
 * another one.
 */
export async function setSpo2Target(
  { store, liveState, now, actor, user, scope }: Writer,
  patientId: number,
  { version, scale, low, high, reason }: NewSpo2Target,
): Promise<PatientRow> {
  const known = requirePatient(liveState, patientId, scope);
  const row = await store.db.transaction().execute(async (transaction) => {
    const changed = await updatePatientRow(transaction, now, { id: known.id, version }, { spo2_scale: scale });
    await transaction
      .insertInto('spo2_targets')
      .values({
        site_id: known.site_id,
        patient_id: known.id,
        scale,
        low,
        high,
        reason,
        set_at: now,
        set_by: user.id,
      })
      .execute();
    await auditDone(transaction, now, actor, 'set_spo2_target', ['patient', known.id]);
    return changed;
  });
  liveState.putPatient(row);
  return row;
}
