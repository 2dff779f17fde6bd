import type { Kysely } from 'kysely';
import { groupBy } from '../../lib/groupBy';
import { reachOf } from '../../lib/session/permissions';
import { compareText, firstDifference } from '../../lib/sortOrder';
import { readPeople, type Person } from '../assignments/queries';
import type { Store } from '../db/open';
import type { PatientRow } from '../db/rows';
import type { Database } from '../db/schema';
import { invalid } from '../http/httpError';
import { inScope } from '../http/scope';

export interface NoteReaders {
  /** Who may read the patient's notes now, by name. Emergency access does not count. */
  readers: readonly Person[];
  /** All users of the site. */
  people: ReadonlyMap<number, Person>;
}

/** Resolves with who may read a patient's notes now. Call it outside of transactions: it reads on its own. */
export async function readNoteReaders(store: Store, patient: PatientRow): Promise<NoteReaders> {
  const people = await readPeople(store, patient.site_id);
  const readers = [...people.values()].filter((person) => person.isActive && mayRead(person, patient));
  readers.sort((one, other) => firstDifference(compareText(one.name, other.name), one.id - other.id));
  return { readers, people };
}

function mayRead({ type, units }: Person, patient: PatientRow): boolean {
  const reach = reachOf({ type, isAdmin: false }, 'readNotes');
  const isLimited = reach === 'unit' && units.length > 0;
  return (
    (reach === 'site' || reach === 'unit') &&
    inScope({ siteId: patient.site_id, unitIds: isLimited ? units.map(({ id }) => id) : null }, patient)
  );
}

/** Resolves with whom notes mention, by note. */
export async function readMentions(
  db: Kysely<Database>,
  noteIds: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows =
    noteIds.length === 0
      ? []
      : await db
          .selectFrom('note_mentions')
          .select(['note_id', 'user_id'])
          .where('note_id', 'in', noteIds)
          .orderBy('user_id')
          .execute();
  const byNote = groupBy(rows, ({ note_id }) => note_id);
  return new Map([...byNote].map(([id, own]) => [id, own.map(({ user_id }) => user_id)]));
}

/**
 * Stores whom a draft mentions. Rejects with 422 for a user who may not read the patient's notes. One who was mentioned
 * before and lost that right stops no text from being stored: `requireMentioned` says so at the signature.
 */
export async function saveMentions(
  transaction: Kysely<Database>,
  noteId: number,
  wanted: readonly number[],
  readers: NoteReaders,
): Promise<void> {
  const known = (await readMentions(transaction, [noteId])).get(noteId) ?? [];
  const added = [...new Set(wanted)].filter((id) => !known.includes(id));
  requireReaders(added, readers);
  const removed = known.filter((id) => !wanted.includes(id));
  if (removed.length > 0) {
    await transaction
      .deleteFrom('note_mentions')
      .where('note_id', '=', noteId)
      .where('user_id', 'in', removed)
      .execute();
  }
  if (added.length > 0) {
    await transaction
      .insertInto('note_mentions')
      .values(added.map((user_id) => ({ note_id: noteId, user_id })))
      .execute();
  }
}

/** Lets a note that was moved mention those whom the first one mentions, if they may read its patient's notes. */
export async function copyMentions(
  transaction: Kysely<Database>,
  from: number,
  to: number,
  { readers }: NoteReaders,
): Promise<void> {
  const known = (await readMentions(transaction, [from])).get(from) ?? [];
  const rows = known.filter((id) => readers.some((reader) => reader.id === id));
  if (rows.length > 0) {
    await transaction
      .insertInto('note_mentions')
      .values(rows.map((user_id) => ({ note_id: to, user_id })))
      .execute();
  }
}

/** Rejects with 422 if a note mentions someone who may not read the patient's notes now. */
export async function requireMentioned(
  transaction: Kysely<Database>,
  noteId: number,
  readers: NoteReaders,
): Promise<void> {
  requireReaders((await readMentions(transaction, [noteId])).get(noteId) ?? [], readers);
}

function requireReaders(ids: readonly number[], { readers, people }: NoteReaders): void {
  const outside = ids.filter((id) => !readers.some((reader) => reader.id === id));
  if (outside.length > 0) {
    // An id of another site is no one here.
    const names = outside.map((id) => people.get(id)?.name ?? 'Someone');
    const message = `${names.join(', ')} may not see this patient. Take the name out.`;
    throw invalid({ mentions: 'may not see this patient' }, message);
  }
}
