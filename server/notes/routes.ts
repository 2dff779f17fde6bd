import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { Note, ownNotesResponse } from '../../lib/notes/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import { requireScope, sessionOf } from '../http/access';
import { on } from '../http/on';
import { inScope } from '../http/scope';
import type { LiveState } from '../liveState';
import { requirePatient } from '../patients/requirePatient';
import { writerOf, type Writer } from '../patients/writerOf';
import type { App, Server } from '../server';
import { readNames } from '../users/readNames';
import { addNote, discardDraft, saveDraft, signNote } from './drafts';
import { addEntry, moveNote } from './entries';
import { findNote } from './findNote';
import { readNoteReaders } from './mentions';
import { presentNotes, readDrafts, readNotePage, readReader, type NoteRow, type Reader } from './queries';
import { readUnread } from './readUnread';

/** More drafts, or more mentions, than this are not named. */
const most = 500;

/**
 * Resolves with how many notes of each active patient within reach the user has not read, with the user's own drafts,
 * and with the signed notes that mention the user and that they have not read, the newest first. Of more than 500
 * unread notes the newest are counted.
 */
async function readOwnNotes(
  db: Kysely<Database>,
  liveState: LiveState,
  reader: Reader,
): Promise<z.input<typeof ownNotesResponse>> {
  const patientIds = [...liveState.patients.values()]
    .filter((row) => row.state === 'active' && inScope(reader.scope, row))
    .map(({ id }) => id);
  if (patientIds.length === 0) {
    return { unread: [], drafts: [], mentions: [] };
  }
  const counts = new Map<number, number>();
  for (const { patientId } of await readUnread(db, patientIds, reader)) {
    counts.set(patientId, (counts.get(patientId) ?? 0) + 1);
  }
  const drafts = await db
    .selectFrom('notes')
    .select(['id', 'patient_id', 'type', 'written_at'])
    .where('author_id', '=', reader.userId)
    .where('signed_at', 'is', null)
    .where('patient_id', 'in', patientIds)
    .orderBy('written_at')
    .limit(most)
    .execute();
  const mentions = await db
    .selectFrom('note_mentions')
    .innerJoin('notes', 'notes.id', 'note_mentions.note_id')
    .leftJoin('note_reads', (join) =>
      join.onRef('note_reads.note_id', '=', 'notes.id').on('note_reads.user_id', '=', reader.userId),
    )
    .select(['notes.id', 'notes.patient_id', 'notes.author_id', 'notes.signed_at'])
    .where('note_mentions.user_id', '=', reader.userId)
    .where('notes.author_id', '<>', reader.userId)
    .where('notes.patient_id', 'in', patientIds)
    .where('notes.signed_at', 'is not', null)
    .where('notes.in_error', '=', 0)
    .where('note_reads.version', 'is', null)
    .orderBy('notes.signed_at', 'desc')
    .limit(most)
    .execute();
  const authorIds = mentions.map(({ author_id }) => author_id);
  const nameOf = await readNames(db, authorIds);
  return {
    mentions: mentions.flatMap(({ id: noteId, patient_id: patientId, author_id, signed_at }) =>
      signed_at === null ? [] : [{ noteId, patientId, author: nameOf(author_id).name, at: toInstant(signed_at) }],
    ),
    unread: [...counts].map(([patientId, count]) => ({ patientId, count })),
    drafts: drafts.map(({ id, patient_id: patientId, type, written_at }) => ({
      id,
      patientId,
      type,
      writtenAt: toInstant(written_at),
    })),
  };
}

/** Stores that a user has seen a version of a note. One older than the last that they saw changes nothing. */
async function markNoteRead(store: Store, now: EpochMs, userId: number, row: NoteRow, version: number): Promise<void> {
  const seen = Math.min(version, row.version);
  await store.db
    .insertInto('note_reads')
    .values({ note_id: row.id, user_id: userId, version: seen, read_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['note_id', 'user_id'])
        .doUpdateSet({ version: seen, read_at: now })
        .where('note_reads.version', '<', seen),
    )
    .execute();
}

/** Notes about patients. */
export function noteRoutes(app: App, server: Server): void {
  const { store, liveState, now, auditView } = server;
  const readerOf = (request: FastifyRequest): Promise<Reader> => readReader(store, request, now());
  const by = (request: FastifyRequest): Writer => writerOf(server, request, 'writeNotes');
  const find = (request: FastifyRequest, id: number): Promise<NoteRow> => {
    const scope = requireScope(request, 'readNotes', now());
    return findNote({ liveState, user: sessionOf(request).user, scope }, store.db, id);
  };
  const presented = async (request: FastifyRequest, row: NoteRow, isOpened = false): Promise<Note> => {
    const [note] = await presentNotes(store.db, liveState, [row], await readerOf(request), isOpened);
    if (note === undefined) {
      throw new Error('one row gave no note');
    }
    return note;
  };

  on(app, 'listNotes', async (request) => {
    const reader = await readerOf(request);
    const patient = requirePatient(liveState, request.params.id, reader.scope);
    await auditView(request, { action: 'read_notes', patientId: patient.id });
    const { rows, total } = await readNotePage(store.db, patient.id, request.query);
    const drafts = await readDrafts(store.db, patient.id, reader.userId);
    return {
      items: await presentNotes(store.db, liveState, rows, reader),
      total,
      drafts: await presentNotes(store.db, liveState, drafts, reader),
    };
  });

  on(app, 'listOwnNotes', async (request) => {
    const own = await readOwnNotes(store.db, liveState, await readerOf(request));
    const named = [...own.unread, ...own.drafts, ...own.mentions].map(({ patientId }) => patientId);
    await auditView(request, { action: 'read_notes', patientIds: [...new Set(named)] });
    return own;
  });

  on(app, 'listNoteReaders', async (request) => {
    const scope = requireScope(request, 'writeNotes', now());
    const patient = requirePatient(liveState, request.params.id, scope);
    await auditView(request, { action: 'read_notes', patientId: patient.id });
    const { readers } = await readNoteReaders(store, patient);
    const others = readers.filter(({ id }) => id !== sessionOf(request).user.id);
    return { items: others.map(({ id, name, type }) => ({ id, name, type })) };
  });

  on(app, 'readNote', async (request) => {
    const row = await find(request, request.params.id);
    await auditView(request, { action: 'open_note', patientId: row.patient_id });
    return await presented(request, row, true);
  });

  on(app, 'markNoteRead', async (request) => {
    const row = await find(request, request.params.id);
    await markNoteRead(store, now(), sessionOf(request).user.id, row, request.body.version);
  });

  on(app, 'addNote', async (request) =>
    presented(request, await addNote(by(request), request.params.id, request.body)),
  );
  on(app, 'saveDraft', async (request) =>
    presented(request, await saveDraft(by(request), request.params.id, request.body)),
  );
  on(app, 'discardDraft', (request) => discardDraft(by(request), request.params.id, request.body.version));
  on(app, 'signNote', async (request) =>
    presented(request, await signNote(by(request), request.params.id, request.body.version)),
  );
  on(app, 'addAddendum', async (request) =>
    presented(request, await addEntry(by(request), request.params.id, 'addendum', request.body)),
  );
  on(app, 'amendNote', async (request) =>
    presented(request, await addEntry(by(request), request.params.id, 'amendment', request.body)),
  );
  on(app, 'markNoteInError', async (request) =>
    presented(request, await addEntry(by(request), request.params.id, 'entered_in_error', request.body)),
  );
  on(app, 'moveNote', async (request) =>
    presented(request, await moveNote(by(request), request.params.id, request.body)),
  );
}
