import type { Kysely } from 'kysely';
import { unitKey } from '../../lib/units/unitKey';
import type { Database } from '../db/schema';
import { HttpError } from '../http/httpError';
import { inScope, type Scope } from '../http/scope';

/**
 * Rejects with 409 `bed_taken` if another active patient is in the bed; with their id if they are within reach. Call it
 * in the transaction that puts a patient there, after the unit's row was locked: two moves into one bed then run one
 * after another. Capitals do not matter. A bed that had two patients before this rule keeps them until one is moved.
 */
export async function requireFreeBed(
  transaction: Kysely<Database>,
  scope: Scope,
  { unitId, bed }: { unitId: number; bed: string },
  /** The patient who is moved; null: a new one. */
  patientId: number | null,
): Promise<void> {
  const rows = await transaction
    .selectFrom('patients')
    .select(['id', 'site_id', 'unit_id', 'bed'])
    .where('site_id', '=', scope.siteId)
    .where('unit_id', '=', unitId)
    .where('state', '=', 'active')
    .execute();
  const other = rows.find((row) => row.id !== patientId && row.bed !== null && unitKey(row.bed) === unitKey(bed));
  if (other !== undefined) {
    throw new HttpError(409, 'bed_taken', 'Another patient is in this bed.', {
      fields: { 'location.bed': 'is taken by another patient' },
      ...(inScope(scope, other) ? { id: other.id } : {}),
    });
  }
}
