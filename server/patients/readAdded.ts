import type { Kysely } from 'kysely';
import type { NewPatient } from '../../lib/patients/schema';
import { unitKey } from '../../lib/units/unitKey';
import type { Actor } from '../audit/actor';
import type { PatientRow, UnitRow } from '../db/rows';
import type { Database } from '../db/schema';

/**
 * Resolves with the patient whom this user has added with the same words, and their unit, if no one has changed the
 * patient since; else with null. So an attempt after a lost response is known again.
 */
export async function readAdded(
  db: Kysely<Database>,
  actor: Actor,
  siteId: number,
  patient: NewPatient,
): Promise<{ row: PatientRow; unit: UnitRow | null } | null> {
  const { location } = patient;
  const row = await db
    .selectFrom('patients')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('mrn', '=', patient.mrn)
    .where('version', '=', 1)
    .where('given_name', '=', patient.givenName)
    .where('family_name', '=', patient.familyName)
    .where('date_of_birth', '=', patient.dateOfBirth)
    .where('sex', '=', patient.sex)
    .where('profile', '=', patient.profile)
    .where('spo2_scale', '=', patient.spo2Scale)
    .where('is_trial', '=', patient.isTrial ? 1 : 0)
    .where((where) =>
      where.exists(
        where
          .selectFrom('patient_moves')
          .select('patient_moves.id')
          .whereRef('patient_moves.patient_id', '=', 'patients.id')
          .where('kind', '=', 'admitted')
          .where('moved_by', '=', actor.actorId),
      ),
    )
    .executeTakeFirst();
  if (row === undefined) {
    return null;
  }
  const unit =
    row.unit_id === null
      ? null
      : await db.selectFrom('units').selectAll().where('id', '=', row.unit_id).executeTakeFirstOrThrow();
  // Names of units and beds are the same in capitals (requireFreeBed).
  const isThere =
    location === null
      ? unit === null
      : unit !== null &&
        row.bed !== null &&
        unitKey(location.unit) === unitKey(unit.name) &&
        unitKey(location.bed) === unitKey(row.bed);
  return isThere ? { row, unit } : null;
}
