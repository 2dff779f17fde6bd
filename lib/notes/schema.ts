import { z } from 'zod';
import { plainText } from '../plainText';
import { userTypes } from '../session/userTypes';
import { instant } from '../time/schema';
import { longestNote, mostMentions } from './noteLimits';
import { noteTypes, type NoteType } from './noteTypes';

const type = z.enum(Object.keys(noteTypes) as [NoteType, ...NoteType[]]);
const text = z.string().max(longestNote).regex(plainText, 'holds a control character');
const signedText = text.trim().min(1, 'is empty');
const reason = z.string().trim().min(3, 'is too short').max(500).regex(plainText, 'holds a control character');
const version = z.int().positive();
/** Made by the page for each new text: the same one again, after a lost response, adds nothing. */
const clientId = z.uuid();
/** The user of the page: another one may have signed in in this browser meanwhile. */
const authorId = z.int().positive();

/** What the author of a draft can change. An empty text is possible: a draft is stored while it is typed. */
const draftFields = {
  type,
  text,
  /** When it happened; the default is now. */
  eventTime: instant.optional(),
  /** Alerts of this patient to which it belongs. */
  alertIds: z.array(z.int().positive()).max(20).default([]),
  /** The ids of the colleagues whom it mentions: they find it on their start page once it is signed. */
  mentions: z.array(z.int().positive()).max(mostMentions).default([]),
};
export const newNote = z.strictObject({
  ...draftFields,
  clientId,
  authorId,
});
export type NewNote = z.output<typeof newNote>;
export const draftChange = z.strictObject({ ...draftFields, version });
export type DraftChange = z.output<typeof draftChange>;

export const ofVersion = z.strictObject({ version });
export const addendumBody = z.strictObject({ clientId, authorId, text: signedText });
export const amendmentBody = z.strictObject({ clientId, authorId, text: signedText, reason, version });
export const enteredInErrorBody = z.strictObject({ authorId, reason, version });
export const moveBody = z.strictObject({ authorId, patientId: z.int().positive(), reason, version });

/** The author, with the type that they had when they wrote. */
const author = z.object({ id: z.int(), name: z.string(), type: z.enum(userTypes) });

export const entryKinds = ['addendum', 'amendment', 'entered_in_error'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** What was added to a signed note. It changes nothing that was there. */
const noteEntry = z.object({
  id: z.int(),
  kind: z.enum(entryKinds),
  /** The added text; of an amendment the whole corrected text; empty: it was entered in error. */
  text: z.string(),
  /** Empty for an addendum. */
  reason: z.string(),
  author,
  at: instant,
});

export const note = z.object({
  id: z.int(),
  patientId: z.int(),
  type,
  state: z.enum(['draft', 'signed', 'entered_in_error']),
  /** As it was signed. Null: the note is of another patient, and is shown only when it is opened. */
  text: z.string().nullable(),
  author,
  eventTime: instant,
  writtenAt: instant,
  /** Null: it is a draft. */
  signedAt: instant.nullable(),
  /** It was written more than 15 min after it happened. */
  isLateEntry: z.boolean(),
  alertIds: z.array(z.int()),
  /** By id, so that their names are those of today. */
  mentions: z.array(z.object({ id: z.int(), name: z.string() })),
  /** Grows with each change of a draft and with each entry. */
  version: z.int(),
  /** Another user has signed or added something that the caller has not read. */
  isUnread: z.boolean(),
  /** The note under the patient to whom it belongs, if the caller sees that patient. */
  movedTo: z.object({ noteId: z.int(), patientId: z.int() }).nullable(),
  /** It was written under another patient first. */
  isMoved: z.boolean(),
  /** Oldest first. */
  entries: z.array(noteEntry),
});
export type Note = z.infer<typeof note>;

/** The other users who may see a patient's notes now, by name. */
export const noteReadersResponse = z.object({
  items: z.array(z.object({ id: z.int(), name: z.string(), type: z.enum(userTypes) })),
});

/**
 * Numbers, no text: the user's unread notes by patient, their own drafts, oldest first, and the signed notes that
 * mention them and that they have not read, newest first.
 */
export const ownNotesResponse = z.object({
  unread: z.array(z.object({ patientId: z.int(), count: z.int() })),
  drafts: z.array(z.object({ id: z.int(), patientId: z.int(), type, writtenAt: instant })),
  mentions: z.array(z.object({ noteId: z.int(), patientId: z.int(), author: z.string(), at: instant })),
});

export const notesQuery = z.strictObject({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(25),
});

/** A patient's signed notes, by the time of the event, newest first, and the caller's own drafts about them. */
export const notesResponse = z.object({ items: z.array(note), total: z.int(), drafts: z.array(note) });
