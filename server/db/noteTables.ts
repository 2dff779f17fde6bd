import type { Generated } from 'kysely';
import type { NoteType } from '../../lib/notes/noteTypes';
import type { EntryKind } from '../../lib/notes/schema';
import type { UserType } from '../../lib/session/userTypes';

/** The tables of what clinicians write about a patient. Instants are epoch milliseconds, flags 0 or 1. */
export interface NoteTables {
  notes: NotesTable;
  note_entries: NoteEntriesTable;
  note_reads: NoteReadsTable;
  note_mentions: NoteMentionsTable;
}

export interface NotesTable {
  id: Generated<number>;
  site_id: number;
  patient_id: number;
  author_id: number;
  /** The author's type when they signed. */
  author_type: UserType;
  /** Made by the page: unique for the author, so that nothing is written twice. */
  client_id: string;
  type: NoteType;
  /** Never changed once it is signed. */
  text: string;
  /** JSON: the ids of the alerts to which it belongs. */
  alert_ids: string;
  event_at: number;
  written_at: number;
  /** Null: a draft. */
  signed_at: number | null;
  /** 1: entered in error. */
  in_error: Generated<number>;
  /** The note that replaces it under the right patient. */
  moved_to: number | null;
  moved_from: number | null;
  /** Goes up with each change of a draft, when it is signed, and with each entry. */
  version: Generated<number>;
  changed_at: number;
  changed_by: number;
}

/** What was added to a signed note. */
export interface NoteEntriesTable {
  id: Generated<number>;
  note_id: number;
  kind: EntryKind;
  text: string;
  reason: string;
  author_id: number;
  author_type: UserType;
  client_id: string;
  added_at: number;
}

/** The version of a note that a user has seen. */
interface NoteReadsTable {
  note_id: number;
  user_id: number;
  version: number;
  read_at: number;
}

/** A colleague whom a note, or a draft, mentions. */
interface NoteMentionsTable {
  note_id: number;
  user_id: number;
}
