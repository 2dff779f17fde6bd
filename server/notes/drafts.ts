import type { Kysely } from 'kysely';
import type { DraftChange, NewNote } from '../../lib/notes/schema';
import type { Database } from '../db/schema';
import { HttpError, invalid } from '../http/httpError';
import { requirePatient } from '../patients/requirePatient';
import type { Writer } from '../patients/writerOf';
import { pastInstant, requireAlerts, requireAuthor } from './documents';
import { auditNote, changeNote, findNote, holdNote } from './findNote';
import { readNoteReaders, requireMentioned, saveMentions, type NoteReaders } from './mentions';
import type { NoteRow } from './queries';

/**
 * Starts a draft, which its author alone reads, and resolves with it. The same `clientId` again, after a lost response,
 * resolves with the note that it made. Rejects with 404 for a patient out of reach, 409 `another_user` if the page is
 * another user's, 409 `note_of_another` if that note is another patient's, and 422 for an event in the future, an
 * alert of another patient or a mention of someone who may not see the patient.
 */
export async function addNote(writer: Writer, patientId: number, wanted: NewNote): Promise<NoteRow> {
  const { store, liveState, now, user, scope } = writer;
  const patient = requirePatient(liveState, patientId, scope);
  requireAuthor(writer, wanted.authorId);
  const eventAt = pastInstant('eventTime', wanted.eventTime, now) ?? now;
  const readers = wanted.mentions.length === 0 ? nobody : await readNoteReaders(store, patient);
  return await store.db.transaction().execute(async (transaction) => {
    await requireAlerts(transaction, patient.site_id, patient.id, wanted.alertIds);
    const added = await transaction
      .insertInto('notes')
      .values({
        site_id: patient.site_id,
        patient_id: patient.id,
        author_id: user.id,
        author_type: user.type,
        client_id: wanted.clientId,
        type: wanted.type,
        text: wanted.text,
        alert_ids: JSON.stringify(wanted.alertIds),
        event_at: eventAt,
        written_at: now,
        changed_at: now,
        changed_by: user.id,
      })
      .onConflict((conflict) => conflict.columns(['author_id', 'client_id']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (added !== undefined) {
      await saveMentions(transaction, added.id, wanted.mentions, readers);
      return added;
    }
    const known = await transaction
      .selectFrom('notes')
      .selectAll()
      .where('author_id', '=', user.id)
      .where('client_id', '=', wanted.clientId)
      .executeTakeFirstOrThrow();
    if (known.patient_id !== patient.id) {
      throw new HttpError(409, 'note_of_another', 'This text was saved under another patient.');
    }
    return known;
  });
}

/** Stores what its author typed and resolves with the draft. Rejects as `holdDraft` and `addNote` do. */
export async function saveDraft(writer: Writer, id: number, wanted: DraftChange): Promise<NoteRow> {
  const readers = wanted.mentions.length === 0 ? nobody : await readersOf(writer, id);
  return await writer.store.db.transaction().execute(async (transaction) => {
    const draft = await holdDraft(writer, transaction, id);
    await requireAlerts(transaction, draft.site_id, draft.patient_id, wanted.alertIds);
    await saveMentions(transaction, id, wanted.mentions, readers);
    return await changeNote(writer, transaction, draft, wanted.version, {
      type: wanted.type,
      text: wanted.text,
      alert_ids: JSON.stringify(wanted.alertIds),
      // Without a time of its own a draft keeps that of its beginning.
      event_at: pastInstant('eventTime', wanted.eventTime, writer.now, draft.event_at) ?? draft.event_at,
    });
  });
}

/** Deletes a draft that its author does not want. Rejects as `holdDraft` does, and with 409 if it has changed. */
export async function discardDraft(writer: Writer, id: number, version: number): Promise<void> {
  await writer.store.db.transaction().execute(async (transaction) => {
    const draft = await holdDraft(writer, transaction, id);
    const changed = await changeNote(writer, transaction, draft, version, {});
    await transaction.deleteFrom('note_mentions').where('note_id', '=', changed.id).execute();
    await transaction.deleteFrom('notes').where('id', '=', changed.id).execute();
  });
}

/**
 * Signs a draft and resolves with the note, whose text no one can change any more. Signing again, after a lost
 * response, resolves with the signed note. Rejects as `holdDraft` does, with 409 if the draft has changed, and with
 * 422 if it has no text or mentions someone who may not see the patient any more.
 */
export async function signNote(writer: Writer, id: number, version: number): Promise<NoteRow> {
  const { store, now, user } = writer;
  const readers = await readersOf(writer, id);
  return await store.db.transaction().execute(async (transaction) => {
    const row = await holdNote(writer, transaction, id);
    if (row.signed_at !== null && row.author_id === user.id && row.version === version + 1) {
      return row;
    }
    const draft = requireUnsigned(row);
    if (draft.text.trim() === '') {
      throw invalid({ text: 'is empty' }, 'A note without a text cannot be signed.');
    }
    await requireMentioned(transaction, id, readers);
    const signed = await changeNote(writer, transaction, draft, version, { signed_at: now, author_type: user.type });
    await auditNote(writer, transaction, 'sign_note', signed);
    return signed;
  });
}

/** For a draft that mentions no one, which is stored after every few letters. */
const nobody: NoteReaders = { readers: [], people: new Map() };

/** Resolves with who may read the notes of a draft's patient. Rejects as `holdDraft` does. */
async function readersOf(writer: Writer, id: number): Promise<NoteReaders> {
  const { patient_id } = await findNote(writer, writer.store.db, id);
  return await readNoteReaders(writer.store, requirePatient(writer.liveState, patient_id, writer.scope));
}

/** Resolves with a draft of the caller, locked. Rejects with 404, and 409 `note_signed` if it was signed meanwhile. */
async function holdDraft(writer: Writer, transaction: Kysely<Database>, id: number): Promise<NoteRow> {
  return requireUnsigned(await holdNote(writer, transaction, id));
}

function requireUnsigned(row: NoteRow): NoteRow {
  if (row.signed_at !== null) {
    throw new HttpError(409, 'note_signed', 'This note is signed. Add an addendum or an amendment.', { id: row.id });
  }
  return row;
}
