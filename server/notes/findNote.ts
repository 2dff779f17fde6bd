import type { Kysely, Updateable } from 'kysely';
import type { User } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import type { AuditAction } from '../../lib/audit/actions';
import { audit } from '../audit';
import type { Actor } from '../audit/actor';
import type { Store } from '../db/open';
import type { NotesTable } from '../db/noteTables';
import type { Database } from '../db/schema';
import { HttpError, notFound } from '../http/httpError';
import type { Scope } from '../http/scope';
import type { LiveState } from '../liveState';
import { readNames } from '../users/readNames';
import type { NoteRow } from './queries';

/** Who writes: the user, what they may reach, and the caller for the audit. `now` is epoch milliseconds. */
export interface Writer {
  store: Store;
  liveState: LiveState;
  now: EpochMs;
  actor: Actor;
  user: User;
  scope: Scope;
}

/** Throws 409 `another_user` if a page's text is another user's than the one whose session the call carries. */
export function requireAuthor({ user }: Pick<Writer, 'user'>, authorId: number): void {
  if (authorId !== user.id) {
    throw new HttpError(409, 'another_user', 'Another user has signed in in this browser.');
  }
}

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
  await transaction
    .updateTable('notes')
    .set((before) => ({ version: before.ref('version') }))
    .where('id', '=', id)
    .execute();
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
  if (row.version !== seen) {
    const { name } = (await readNames(transaction, [row.changed_by]))(row.changed_by);
    const who = row.changed_by === user.id ? 'You have' : `${name} has`;
    throw new HttpError(409, 'note_changed', `${who} changed this note in the meantime.`, { id: row.id });
  }
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
  await audit(transaction, now, actor, {
    action,
    outcome: 'done',
    objectType: 'patient',
    objectId: patient_id,
    details: { noteId: id, version },
  });
}
