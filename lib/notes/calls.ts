import { z } from 'zod';
import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import {
  addendumBody,
  amendmentBody,
  draftChange,
  enteredInErrorBody,
  moveBody,
  newNote,
  note,
  noteReadersResponse,
  notesQuery,
  notesResponse,
  ofVersion,
  ownNotesResponse,
} from './schema';

const write = { who: can('writeNotes'), params: byId, response: note } as const;
/** A draft is typed on this page: nothing has to be read after each of its letters. */
const changes = { read: 'listNotes' } as const;

/** What clinicians write about a patient. A signed text is never changed: addenda, amendments and errors are added. */
export const noteCalls = {
  listNotes: {
    method: 'GET',
    path: '/api/v2/patients/:id/notes',
    status: 200,
    who: can('readNotes'),
    params: byId,
    query: notesQuery,
    response: notesResponse,
  },
  listOwnNotes: {
    method: 'GET',
    path: '/api/v2/notes/own',
    status: 200,
    who: can('readNotes'),
    response: ownNotesResponse,
  },
  listNoteReaders: {
    method: 'GET',
    path: '/api/v2/patients/:id/notes/readers',
    status: 200,
    who: can('writeNotes'),
    params: byId,
    response: noteReadersResponse,
  },
  readNote: {
    method: 'GET',
    path: '/api/v2/notes/:id',
    status: 200,
    who: can('readNotes'),
    params: byId,
    response: note,
  },
  markNoteRead: {
    method: 'POST',
    path: '/api/v2/notes/:id/read',
    status: 204,
    who: can('readNotes'),
    params: byId,
    body: ofVersion,
    response: z.null(),
    changes,
  },
  addNote: { ...write, method: 'POST', path: '/api/v2/patients/:id/notes', status: 201, body: newNote },
  saveDraft: { ...write, method: 'PUT', path: '/api/v2/notes/:id', status: 200, body: draftChange },
  discardDraft: {
    method: 'POST',
    path: '/api/v2/notes/:id/discard',
    status: 204,
    who: can('writeNotes'),
    params: byId,
    body: ofVersion,
    response: z.null(),
    changes,
  },
  signNote: { ...write, changes, method: 'POST', path: '/api/v2/notes/:id/sign', status: 200, body: ofVersion },
  addAddendum: {
    ...write,
    changes,
    method: 'POST',
    path: '/api/v2/notes/:id/addendum',
    status: 200,
    body: addendumBody,
  },
  amendNote: {
    ...write,
    changes,
    method: 'POST',
    path: '/api/v2/notes/:id/amendment',
    status: 200,
    body: amendmentBody,
  },
  markNoteInError: {
    ...write,
    changes,
    method: 'POST',
    path: '/api/v2/notes/:id/entered-in-error',
    status: 200,
    body: enteredInErrorBody,
  },
  moveNote: { ...write, changes, method: 'POST', path: '/api/v2/notes/:id/move', status: 200, body: moveBody },
} as const satisfies Calls;
