import type { Kysely, Selectable, Updateable } from 'kysely';
import type { AuditAction } from '../../lib/audit/actions';
import { auditDone } from '../audit';
import type { HandoffsTable } from '../db/handoffTables';
import type { Database } from '../db/schema';
import { HttpError, notFound } from '../http/httpError';
import { holdDocument, requireAuthor } from '../notes/documents';
import { requireActivePatient } from '../patients/requirePatient';
import type { Writer } from '../patients/writerOf';

export type HandoffRow = Selectable<HandoffsTable>;

/** Who writes, gives or receives; `authorId` is the user of the page. */
export interface HandoffWriter extends Writer {
  authorId: number;
}

/**
 * Resolves with a handoff of a patient within reach. Rejects with 404, and with 409 `patient_discharged`.
 */
export async function findHandoff(
  { liveState, scope }: Pick<HandoffWriter, 'liveState' | 'scope'>,
  db: Kysely<Database>,
  id: number,
): Promise<HandoffRow> {
  const row = await db.selectFrom('handoffs').selectAll().where('id', '=', id).executeTakeFirstOrThrow(notFound);
  requireActivePatient(liveState, row.patient_id, scope);
  return row;
}

/**
 * As `findHandoff`, and locks it until the transaction ends, so that concurrent changes run one after another.
 * Rejects with 409 `another_user` if the page is another user's.
 */
export async function holdHandoff(
  writer: HandoffWriter,
  transaction: Kysely<Database>,
  id: number,
): Promise<HandoffRow> {
  await holdDocument(transaction, 'handoffs', id);
  const row = await findHandoff(writer, transaction, id);
  requireAuthor(writer, writer.authorId);
  return row;
}

/** Changes columns of a held handoff and resolves with it. */
export async function changeHandoff(
  { user, now }: HandoffWriter,
  transaction: Kysely<Database>,
  row: HandoffRow,
  columns: Omit<Updateable<HandoffsTable>, 'id' | 'version'>,
): Promise<HandoffRow> {
  return await transaction
    .updateTable('handoffs')
    .set({ ...columns, version: row.version + 1, changed_at: now, changed_by: user.id })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Writes the audit row of an action on a handoff, under its patient. No text is in it. */
export async function auditHandoff(
  { now, actor }: HandoffWriter,
  transaction: Kysely<Database>,
  action: AuditAction,
  { id, patient_id, version }: HandoffRow,
): Promise<void> {
  await auditDone(transaction, now, actor, action, ['patient', patient_id], { handoffId: id, version });
}

/** Returns the error of an action that the handoff's state does not allow. */
export function wrongState({ id, state }: HandoffRow): HttpError {
  const words = {
    draft: 'This handoff is not given yet.',
    given: 'This handoff is given already.',
    received: 'This handoff is received already.',
    returned: 'This handoff was returned with a question.',
    withdrawn: 'This handoff was withdrawn.',
    superseded: 'A newer handoff has replaced this one.',
  } as const;
  return new HttpError(409, `handoff_${state}`, words[state], { id });
}
