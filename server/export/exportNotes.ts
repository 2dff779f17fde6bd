import { sql } from 'kysely';
import type { CsvCell } from '../../lib/csvLine';
import { noteTypes } from '../../lib/notes/noteTypes';
import type { Note } from '../../lib/notes/schema';
import { userTypeLabels } from '../../lib/session/userTypes';
import type { EpochMs } from '../../lib/time/epochMs';
import { presentNotes, type NoteRow } from '../notes/queries';
import { readReader } from '../notes/readReader';
import { timeCells, timeColumns, yesNo, type Exported, type ExportedKind } from './exportedKind';

/** A note may have 10,000 characters, and as many in each addition. */
const notesAtOnce = 50;

/**
 * The signed notes by the time of the event, each followed by what was added to it. Drafts are their authors' own. A
 * note that was moved to another patient is said to be, without its text, which is about someone else.
 */
export const exportNotes: ExportedKind = {
  columns: [
    'note_id',
    'part',
    'type',
    'status',
    ...timeColumns('event'),
    ...timeColumns('written'),
    ...timeColumns('signed'),
    'late_entry',
    'author',
    'author_role',
    'text',
    'reason',
    'alert_ids',
    'moved',
  ],
  estimate: async (exported) => {
    const { notes } = await signedNotes(exported)
      .select((select) => select.fn.countAll<number>().as('notes'))
      .executeTakeFirstOrThrow();
    const { entries } = await exported.server.store.db
      .selectFrom('note_entries')
      .where('note_id', 'in', signedNotes(exported).select('id'))
      .select((select) => select.fn.countAll<number>().as('entries'))
      .executeTakeFirstOrThrow();
    return Number(notes) + Number(entries);
  },
  async *rows(exported) {
    const { store, liveState, now } = exported.server;
    const reader = await readReader(store, exported.request, now());
    let behind: NoteRow | undefined;
    do {
      const rows: NoteRow[] = await readNotes(exported, behind);
      const notes = await presentNotes(store.db, liveState, rows, reader);
      yield notes.flatMap((note) => linesOf(exported, note));
      behind = rows.length < notesAtOnce ? undefined : rows.at(-1);
    } while (behind !== undefined);
  },
};

function signedNotes({ server: { store }, patient, from, to }: Exported) {
  return store.db
    .selectFrom('notes')
    .where('patient_id', '=', patient.id)
    .where('signed_at', 'is not', null)
    .where('event_at', '>=', from)
    .where('event_at', '<', to);
}

async function readNotes(exported: Exported, behind: NoteRow | undefined): Promise<NoteRow[]> {
  const notes = signedNotes(exported);
  return await (
    behind === undefined ? notes : notes.where(sql<boolean>`(event_at, id) > (${behind.event_at}, ${behind.id})`)
  )
    .selectAll()
    .orderBy('event_at')
    .orderBy('id')
    .limit(notesAtOnce)
    .execute();
}

function linesOf(exported: Exported, note: Note): CsvCell[][] {
  const instants = (...texts: (string | null)[]): CsvCell[] =>
    texts.flatMap((text) => timeCells(exported, text === null ? null : epochOf(text)));
  const shared = (part: string): CsvCell[] => [note.id, part, noteTypes[note.type], note.state];
  const moved = note.text === null ? 'to another patient' : note.isMoved ? 'from another patient' : null;
  const by = ({ name, type }: Note['author']): CsvCell[] => [name, userTypeLabels[type]];
  return [
    [
      ...shared('note'),
      ...instants(note.eventTime, note.writtenAt, note.signedAt),
      yesNo(note.isLateEntry),
      ...by(note.author),
      note.text,
      null,
      note.alertIds.join(' ') || null,
      moved,
    ],
    ...note.entries.map(({ kind, at, author, text, reason }) => [
      ...shared(kind),
      // An addition is signed when it is written.
      ...instants(note.eventTime, at, at),
      null,
      ...by(author),
      text === '' ? null : text,
      reason === '' ? null : reason,
      null,
      moved,
    ]),
  ];
}

const epochOf = (instant: string): EpochMs => Date.parse(instant);
