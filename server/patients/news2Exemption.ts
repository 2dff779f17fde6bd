import type { Kysely } from 'kysely';
import type { News2ExemptFor } from '../../lib/patients/news2ExemptFor';
import type { News2Exemptions, NewNews2Exemption } from '../../lib/patients/news2Exemption';
import { instantOrNull, toInstant } from '../../lib/time/schema';
import { auditDone } from '../audit';
import type { Database } from '../db/schema';
import type { PatientRow } from '../db/rows';
import { readNames } from '../users/readNames';
import { requireActivePatient } from './requirePatient';
import { updatePatientRow } from './updatePatientRow';
import type { Writer } from './writerOf';

/** The most former marks in a response. */
const historyLength = 100;

/** Resolves with the marks "NEWS2 does not apply" of a patient, the newest first. */
export async function readNews2Exemptions(db: Kysely<Database>, { id, version }: PatientRow): Promise<News2Exemptions> {
  const rows = await db
    .selectFrom('news2_exemptions')
    .selectAll()
    .where('patient_id', '=', id)
    .orderBy('id', 'desc')
    .limit(historyLength)
    .execute();
  const nameOf = await readNames(
    db,
    rows.flatMap(({ set_by, ended_by }) => [set_by, ended_by ?? set_by]),
  );
  return {
    version,
    items: rows.map(({ because, reason, set_at, set_by, ended_at, ended_by }) => ({
      because,
      reason,
      setAt: toInstant(set_at),
      setBy: nameOf(set_by),
      endedAt: instantOrNull(ended_at),
      endedBy: ended_by === null ? null : nameOf(ended_by),
    })),
  };
}

/**
 * Marks that NEWS2 does not apply to a patient, in the place of a former mark, or with `mark` null undoes it. Returns
 * the patient's row after the commit. The reason stays out of the audit. Rejects with 404 if the patient is out of
 * reach, with 409 `patient_discharged`, and with 409 `changed_meanwhile` if the version is another one.
 */
export async function changeNews2Exemption(
  { store, liveState, now, actor, user, scope }: Writer,
  patientId: number,
  { version, mark }: { version: number; mark: Pick<NewNews2Exemption, 'because' | 'reason'> | null },
): Promise<PatientRow> {
  const known = requireActivePatient(liveState, patientId, scope);
  const because: News2ExemptFor | null = mark?.because ?? null;
  const row = await store.db.transaction().execute(async (transaction) => {
    const changed = await updatePatientRow(transaction, now, { id: known.id, version }, { news2_exempt_for: because });
    await transaction
      .updateTable('news2_exemptions')
      .set({ ended_at: now, ended_by: user.id })
      .where('patient_id', '=', known.id)
      .where('ended_at', 'is', null)
      .execute();
    if (mark !== null) {
      await transaction
        .insertInto('news2_exemptions')
        .values({
          site_id: known.site_id,
          patient_id: known.id,
          because: mark.because,
          reason: mark.reason,
          set_at: now,
          set_by: user.id,
          ended_at: null,
          ended_by: null,
        })
        .execute();
    }
    const action = mark === null ? 'end_news2_exemption' : 'set_news2_exemption';
    await auditDone(transaction, now, actor, action, ['patient', known.id]);
    return changed;
  });
  liveState.putPatient(row);
  return row;
}
