import type { Kysely } from 'kysely';
import type { ComfortCare, Standby } from '../../lib/alerts/pauses';
import type { Database } from '../db/schema';

/**
 * Resolves with the standbys and comfort cares that were not ended, run out or not, by patient: of one patient, or with
 * null of all.
 */
export async function readOpenPauses(
  db: Kysely<Database>,
  patientId: number | null,
): Promise<{ standbys: Map<number, Standby>; comfortCares: Map<number, ComfortCare> }> {
  const standbys = db
    .selectFrom('standbys')
    .select(['patient_id', 'reason', 'started_by', 'started_at', 'until', 'is_renewal'])
    .where('ended_at', 'is', null);
  const comfortCares = db
    .selectFrom('comfort_cares')
    .select(['patient_id', 'reason', 'confirmed_by', 'confirmed_at'])
    .where('ended_at', 'is', null);
  const [standbyRows, comfortCareRows] = [
    await (patientId === null ? standbys : standbys.where('patient_id', '=', patientId)).execute(),
    await (patientId === null ? comfortCares : comfortCares.where('patient_id', '=', patientId)).execute(),
  ];
  return {
    standbys: new Map(
      standbyRows.map(({ patient_id, started_by: by, reason, started_at: startedAt, until, is_renewal }) => [
        patient_id,
        { by, reason, startedAt, until, isRenewal: is_renewal === 1 },
      ]),
    ),
    comfortCares: new Map(
      comfortCareRows.map(({ patient_id, confirmed_by: by, reason, confirmed_at }) => [
        patient_id,
        { by, reason, confirmedAt: confirmed_at },
      ]),
    ),
  };
}
