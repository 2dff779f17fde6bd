import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { AuditAction } from '../../lib/audit/actions';
import type { EntryKind, moveBody } from '../../lib/notes/schema';
import type { Database } from '../db/schema';
import { HttpError, invalid } from '../http/httpError';
import { requirePatient } from '../patients/requirePatient';
import type { Writer } from '../patients/writerOf';
import { requireAuthor } from './documents';
import { auditNote, changeNote, holdNote } from './findNote';
import { copyMentions, readNoteReaders } from './mentions';
import type { NoteRow } from './queries';

/**
 * Moves a note that was signed under the wrong patient: a signed note under the right one, which says when it was
 * written there, and the first one entered in error. Resolves with the new note, also if the caller has moved it there
 * before. Rejects as `addEntry` does, and with 422 for the patient whose note it is.
 */
export async function moveNote(
  writer: Writer,
  id: number,
  { authorId, patientId, reason, version }: z.output<typeof moveBody>,
): Promise<NoteRow> {
  const { store, liveState, now, user, scope } = writer;
  const patient = requirePatient(liveState, patientId, scope);
  const readers = await readNoteReaders(store, patient);
  return await store.db.transaction().execute(async (transaction) => {
    const row = await holdNote(writer, transaction, id);
    requireAuthor(writer, authorId);
    const before = await transaction
      .selectFrom('notes')
      .selectAll()
      .where('id', '=', row.moved_to ?? 0)
      .where('patient_id', '=', patient.id)
      .executeTakeFirst();
    if (before !== undefined) {
      return before;
    }
    if (row.patient_id === patient.id) {
      throw invalid({ patientId: 'is the same patient' }, 'The note is under this patient already.');
    }
    const moved = await transaction
      .insertInto('notes')
      .values({
        site_id: patient.site_id,
        patient_id: patient.id,
        author_id: user.id,
        author_type: user.type,
        client_id: `moved from ${row.id}`,
        type: row.type,
        text: await textNow(transaction, row),
        // The alerts are those of the other patient.
        alert_ids: '[]',
        event_at: row.event_at,
        written_at: now,
        signed_at: now,
        changed_at: now,
        changed_by: user.id,
        moved_from: row.id,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await copyMentions(transaction, row.id, moved.id, readers);
    const columns = { in_error: 1, moved_to: moved.id };
    await insertEntry(writer, transaction, row, 'entered_in_error', { authorId, reason, version }, columns);
    await auditNote(writer, transaction, 'move_note', row);
    await auditNote(writer, transaction, 'sign_note', moved);
    return moved;
  });
}

/** The client id of the one entry that marks a note as entered in error. */
const inError = 'entered in error';

const actionOf = {
  addendum: 'add_to_note',
  amendment: 'amend_note',
  entered_in_error: 'mark_note_in_error',
} as const satisfies Record<EntryKind, AuditAction>;

/** What an entry says; `authorId`: the user of the page. What its kind has no field for is left out. */
interface NewEntry {
  authorId: number;
  text?: string;
  reason?: string;
  clientId?: string;
  /** The version that the caller saw; undefined: any. */
  version?: number;
}

/**
 * Adds to a signed note, and resolves with it: corrects it (the text before stays readable), or marks it as entered in
 * error. The same `clientId` again adds nothing: with another text it is refused with 409 `entry_signed`. Rejects with
 * 409 if the note has changed, and with 409 `another_user` if the page is another user's.
 */
export async function addEntry(writer: Writer, id: number, kind: EntryKind, entry: NewEntry): Promise<NoteRow> {
  const { authorId, text = '', reason = '', clientId = inError } = entry;
  return await writer.store.db.transaction().execute(async (transaction) => {
    const row = await holdNote(writer, transaction, id);
    requireAuthor(writer, authorId);
    const known = await transaction
      .selectFrom('note_entries')
      .select(['kind', 'text', 'reason'])
      .where('note_id', '=', row.id)
      .where('author_id', '=', writer.user.id)
      .where('client_id', '=', clientId)
      .executeTakeFirst();
    if (known?.kind === kind && known.text === text && known.reason === reason) {
      return row;
    }
    if (known !== undefined && kind !== 'entered_in_error') {
      // The response to the first text was lost and its author has changed it since.
      const message = 'What you sent before is signed already, with another text. Sign again to add this one.';
      throw new HttpError(409, 'entry_signed', message, { id: row.id });
    }
    const columns = kind === 'entered_in_error' ? { in_error: 1 } : {};
    const changed = await insertEntry(writer, transaction, row, kind, entry, columns);
    await auditNote(writer, transaction, actionOf[kind], changed);
    return changed;
  });
}

/** Adds an entry to a held note and resolves with the note. */
async function insertEntry(
  writer: Writer,
  transaction: Kysely<Database>,
  row: NoteRow,
  kind: EntryKind,
  { text = '', reason = '', clientId = inError, version = row.version }: NewEntry,
  columns: { in_error?: number; moved_to?: number },
): Promise<NoteRow> {
  const { user, now } = writer;
  if (row.signed_at === null) {
    throw new HttpError(409, 'note_not_signed', 'This note is not signed yet: change its text.', { id: row.id });
  }
  if (row.in_error === 1) {
    throw new HttpError(409, 'note_in_error', 'This note is marked as entered in error.', { id: row.id });
  }
  // A correction speaks for the author. What is wrong altogether a ward lead can mark as well.
  const mayMark = kind === 'entered_in_error' && user.type === 'ward_lead';
  if (kind !== 'addendum' && row.author_id !== user.id && !mayMark) {
    throw new HttpError(403, 'not_author', 'Only its author can change this note. Add an addendum.');
  }
  const changed = await changeNote(writer, transaction, row, version, columns);
  await transaction
    .insertInto('note_entries')
    .values({
      note_id: row.id,
      kind,
      text,
      reason,
      author_id: user.id,
      author_type: user.type,
      client_id: clientId,
      added_at: now,
    })
    .execute();
  return changed;
}

/** Resolves with what a note says now: its last amendment, else the text that was signed. */
async function textNow(transaction: Kysely<Database>, { id, text }: NoteRow): Promise<string> {
  const amendment = await transaction
    .selectFrom('note_entries')
    .select('text')
    .where('note_id', '=', id)
    .where('kind', '=', 'amendment')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return amendment?.text ?? text;
}
