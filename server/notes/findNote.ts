import type { Kysely, Updateable } from 'kysely';
import type { AuditAction } from '../../lib/audit/actions';
import { auditDone } from '../audit';
import type { NotesTable } from '../db/noteTables';
import type { Database } from '../db/schema';
import { notFound } from '../http/httpError';
import type { Writer } from '../patients/writerOf';
import { holdDocument, requireVersion } from './documents';
import type { NoteRow } from './queries';

/** Resolves with a note that the user may see: not another user's draft. Rejects with 404. */
export async function findNote(
  { liveState, user, scope }: Pick<Writer, 'liveState' | 'user' | 'scope'>,
  db: Kysely<Database>,
  id: number,
): Promise<NoteRow> {
  const row = await db.selectFrom('notes').selectAll().where('id', '=', id).executeTakeFirst();
  if (
    row === undefined ||
    liveState.patientInScope(row.patient_id, scope) === null ||
    (row.signed_at === null && row.author_id !== user.id)
  ) {
    throw notFound();
  }
  return row;
}

/** As `findNote`, and locks the note until the transaction ends, so that concurrent changes run one after another. */
export async function holdNote(writer: Writer, transaction: Kysely<Database>, id: number): Promise<NoteRow> {
  await holdDocument(transaction, 'notes', id);
  return await findNote(writer, transaction, id);
}

/**
 * Changes columns of a held note, raises its version and resolves with it. Rejects with 409 `note_changed`, which says
 * who was first, if the user saw another version.
 */
export async function changeNote(
  { user, now }: Writer,
  transaction: Kysely<Database>,
  row: NoteRow,
  seen: number,
  columns: Omit<Updateable<NotesTable>, 'id' | 'version'>,
): Promise<NoteRow> {
  await requireVersion({ user }, transaction, 'note', row, seen);
  return await transaction
    .updateTable('notes')
    .set({ ...columns, version: row.version + 1, changed_at: now, changed_by: user.id })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Writes the audit row of an action on a note, under its patient. The text is not in it. */
export async function auditNote(
  { now, actor }: Writer,
  transaction: Kysely<Database>,
  action: AuditAction,
  { id, patient_id, version }: NoteRow,
): Promise<void> {
  await auditDone(transaction, now, actor, action, ['patient', patient_id], { noteId: id, version });
}
