import type { FastifyRequest } from 'fastify';
import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { isLateEntry } from '../../lib/notes/isLateEntry';
import type { Note } from '../../lib/notes/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { instantOrNull, toInstant } from '../../lib/time/schema';
import type { NoteEntriesTable, NotesTable } from '../db/noteTables';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import { requireScope, sessionOf } from '../http/access';
import type { Scope } from '../http/scope';
import type { LiveState } from '../liveState';
import { readNames, type Person } from '../users/readNames';
import { readMentions } from './mentions';

export type NoteRow = Selectable<NotesTable>;
type EntryRow = Selectable<NoteEntriesTable>;

/** The user for whom notes are read, and what they may reach. */
export interface Reader {
  userId: number;
  /** The user reads as unread only what others wrote since then, in epoch milliseconds. */
  since: number;
  scope: Scope;
}

/** Resolves with the user of a request as a reader of notes. Rejects with 403 for one who reads none. */
export async function readReader({ db }: Store, request: FastifyRequest, now: EpochMs): Promise<Reader> {
  const { user } = sessionOf(request);
  const scope = requireScope(request, 'readNotes', now);
  const { created_at: since } = await db
    .selectFrom('users')
    .select('created_at')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  return { userId: user.id, since, scope };
}

/** Resolves with a page of a patient's signed notes, by the time of the event, newest first. */
export async function readNotePage(
  db: Kysely<Database>,
  patientId: number,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ rows: NoteRow[]; total: number }> {
  const signed = db.selectFrom('notes').where('patient_id', '=', patientId).where('signed_at', 'is not', null);
  const { total } = await signed.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await signed
    .selectAll()
    .orderBy('event_at', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  return { rows, total: Number(total) };
}

/** Resolves with a user's own drafts about a patient, oldest first. No one else reads them. */
export async function readDrafts(db: Kysely<Database>, patientId: number, authorId: number): Promise<NoteRow[]> {
  return await db
    .selectFrom('notes')
    .selectAll()
    .where('patient_id', '=', patientId)
    .where('author_id', '=', authorId)
    .where('signed_at', 'is', null)
    .orderBy('id')
    .execute();
}

/**
 * Resolves with notes in the form of API responses. The text of a note that was moved to another patient is withheld
 * unless `isOpened`.
 */
export async function presentNotes(
  db: Kysely<Database>,
  liveState: LiveState,
  rows: readonly NoteRow[],
  reader: Reader,
  isOpened = false,
): Promise<Note[]> {
  const ids = rows.map(({ id }) => id);
  const entries =
    ids.length === 0
      ? []
      : await db.selectFrom('note_entries').selectAll().where('note_id', 'in', ids).orderBy('id').execute();
  const reads =
    ids.length === 0
      ? []
      : await db
          .selectFrom('note_reads')
          .select(['note_id', 'version'])
          .where('user_id', '=', reader.userId)
          .where('note_id', 'in', ids)
          .execute();
  const targetIds = rows.flatMap(({ moved_to }) => (moved_to === null ? [] : [moved_to]));
  const targets =
    targetIds.length === 0
      ? []
      : await db.selectFrom('notes').select(['id', 'patient_id']).where('id', 'in', targetIds).execute();
  const mentions = await readMentions(db, ids);
  const nameOf = await readNames(db, [
    ...[...rows, ...entries].map(({ author_id }) => author_id),
    ...[...mentions.values()].flat(),
  ]);
  const readVersions = new Map(reads.map(({ note_id, version }) => [note_id, version]));
  const entriesOf = ({ id }: NoteRow): EntryRow[] => entries.filter(({ note_id }) => note_id === id);
  return rows.map((row) =>
    presentNote(row, {
      entries: entriesOf(row),
      mentions: mentions.get(row.id) ?? [],
      nameOf,
      isUnread: newsOf(row, entriesOf(row), readVersions.get(row.id) ?? 0, reader).length > 0,
      movedTo: targets.find(
        ({ id, patient_id }) => id === row.moved_to && liveState.patientInScope(patient_id, reader.scope) !== null,
      ),
      isOpened,
    }),
  );
}

/** Returns when other users signed or added what the reader has not seen, epoch milliseconds. */
export function newsOf(
  { author_id, signed_at, version }: Pick<NoteRow, 'author_id' | 'signed_at' | 'version'>,
  entries: readonly Pick<EntryRow, 'author_id' | 'added_at'>[],
  readVersion: number,
  { userId, since }: Reader,
): EpochMs[] {
  // After the signature each entry raises the version by one.
  const steps = [
    { by: author_id, at: signed_at, version: version - entries.length },
    ...entries.map(({ author_id: by, added_at: at }, place) => ({
      by,
      at,
      version: version - entries.length + 1 + place,
    })),
  ];
  return steps.flatMap(({ by, at, version: of }) =>
    by !== userId && at !== null && at >= since && readVersion < of ? [at] : [],
  );
}

interface Shown {
  entries: readonly EntryRow[];
  mentions: readonly number[];
  nameOf: (id: number) => Person;
  isUnread: boolean;
  movedTo: { id: number; patient_id: number } | undefined;
  isOpened: boolean;
}

/** Returns a note in the form of API responses. The fields are listed explicitly: this leaves the server. */
function presentNote(row: NoteRow, { entries, mentions, nameOf, isUnread, movedTo, isOpened }: Shown): Note {
  const isShown = row.moved_to === null || isOpened;
  const authorOf = (of: NoteRow | EntryRow): Note['author'] => ({ ...nameOf(of.author_id), type: of.author_type });
  return {
    id: row.id,
    patientId: row.patient_id,
    type: row.type,
    state: row.signed_at === null ? 'draft' : row.in_error === 1 ? 'entered_in_error' : 'signed',
    text: isShown ? row.text : null,
    author: authorOf(row),
    eventTime: toInstant(row.event_at),
    writtenAt: toInstant(row.written_at),
    signedAt: instantOrNull(row.signed_at),
    isLateEntry: isLateEntry(row.event_at, row.written_at),
    alertIds: z.array(z.int()).parse(JSON.parse(row.alert_ids)),
    mentions: isShown ? mentions.map(nameOf) : [],
    version: row.version,
    isUnread,
    movedTo: movedTo === undefined ? null : { noteId: movedTo.id, patientId: movedTo.patient_id },
    isMoved: row.moved_from !== null,
    entries: entries.map((entry) => ({
      id: entry.id,
      kind: entry.kind,
      text: isShown ? entry.text : '',
      reason: entry.reason,
      author: authorOf(entry),
      at: toInstant(entry.added_at),
    })),
  };
}
