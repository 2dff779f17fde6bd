import type { Kysely, Updateable } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import type { PatientRow } from '../db/rows';
import type { Database, PatientsTable } from '../db/schema';
import { HttpError } from '../http/httpError';

/**
 * Changes columns of a patient's row, raises its version and resolves with the row. Rejects with 409
 * `changed_meanwhile` if `version` is not the row's any more. `now` is epoch milliseconds.
 */
export async function updatePatientRow(
  transaction: Kysely<Database>,
  now: EpochMs,
  { id, version }: { id: number; version: number },
  columns: Omit<Updateable<PatientsTable>, 'id' | 'version' | 'updated_at'>,
): Promise<PatientRow> {
  const changed = await transaction
    .updateTable('patients')
    .set({ ...columns, version: version + 1, updated_at: now })
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();
  if (changed === undefined) {
    throw new HttpError(
      409,
      'changed_meanwhile',
      'Another user has changed this patient in the meantime. Look at it again, then repeat.',
      { id },
    );
  }
  return changed;
}
