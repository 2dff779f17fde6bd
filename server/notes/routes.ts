import type { FastifyRequest } from 'fastify';
import type { Note } from '../../lib/notes/schema';
import { actorOf } from '../audit/actor';
import { requireScope, sessionOf } from '../http/access';
import { on } from '../http/on';
import { requirePatient } from '../patients/requirePatient';
import type { App, Server } from '../server';
import { addNote, discardDraft, saveDraft, signNote } from './drafts';
import { addAddendum, amendNote, markNoteInError, moveNote } from './entries';
import { findNote, type Writer } from './findNote';
import { readNoteReaders } from './mentions';
import { markNoteRead } from './markNoteRead';
import { readOwnNotes } from './ownNotes';
import { readReader } from './readReader';
import { presentNotes, readDrafts, readNotePage, type NoteRow, type Reader } from './queries';

/** Notes about patients. */
export function noteRoutes(app: App, { store, liveState, now, auditView }: Server): void {
  const readerOf = (request: FastifyRequest): Promise<Reader> => readReader(store, request, now());
  const writerOf = (request: FastifyRequest): Writer => ({
    store,
    liveState,
    now: now(),
    actor: actorOf(request),
    user: sessionOf(request).user,
    scope: requireScope(request, 'writeNotes', now()),
  });
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
    const { user } = sessionOf(request);
    const scope = requireScope(request, 'readNotes', now());
    const row = await findNote({ liveState, user, scope }, store.db, request.params.id);
    await auditView(request, { action: 'open_note', patientId: row.patient_id });
    return await presented(request, row, true);
  });

  on(app, 'markNoteRead', async (request) => {
    const { user } = sessionOf(request);
    const scope = requireScope(request, 'readNotes', now());
    const row = await findNote({ liveState, user, scope }, store.db, request.params.id);
    await markNoteRead(store, now(), user.id, row, request.body.version);
    return null;
  });

  on(app, 'addNote', async (request) =>
    presented(request, await addNote(writerOf(request), request.params.id, request.body)),
  );
  on(app, 'saveDraft', async (request) =>
    presented(request, await saveDraft(writerOf(request), request.params.id, request.body)),
  );
  on(app, 'discardDraft', async (request) => {
    await discardDraft(writerOf(request), request.params.id, request.body.version);
    return null;
  });
  on(app, 'signNote', async (request) =>
    presented(request, await signNote(writerOf(request), request.params.id, request.body.version)),
  );
  on(app, 'addAddendum', async (request) =>
    presented(request, await addAddendum(writerOf(request), request.params.id, request.body)),
  );
  on(app, 'amendNote', async (request) =>
    presented(request, await amendNote(writerOf(request), request.params.id, request.body)),
  );
  on(app, 'markNoteInError', async (request) =>
    presented(request, await markNoteInError(writerOf(request), request.params.id, request.body)),
  );
  on(app, 'moveNote', async (request) =>
    presented(request, await moveNote(writerOf(request), request.params.id, request.body)),
  );
}
