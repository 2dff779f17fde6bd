import type { Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';
import { newsOf, type Reader } from './queries';

/** More unread notes than this say no more than this many. */
const most = 500;

/**
 * Resolves with the unread notes of patients, and when others last signed or added what the reader has not seen, epoch
 * milliseconds. Of more than 500 the newest. The caller has asked which patients the reader may see.
 */
export async function readUnread(
  db: Kysely<Database>,
  patientIds: readonly number[],
  reader: Reader,
): Promise<{ patientId: number; at: EpochMs }[]> {
  if (patientIds.length === 0) {
    return [];
  }
  const candidates = await db
    .selectFrom('notes')
    .leftJoin('note_reads', (join) =>
      join.onRef('note_reads.note_id', '=', 'notes.id').on('note_reads.user_id', '=', reader.userId),
    )
    .select(['notes.id', 'notes.patient_id', 'notes.author_id', 'notes.signed_at', 'notes.version'])
    .select('note_reads.version as read_version')
    .where('notes.patient_id', 'in', patientIds)
    .where('notes.signed_at', 'is not', null)
    .where('notes.changed_at', '>=', reader.since)
    .where((is) =>
      is.or([is('note_reads.version', 'is', null), is('note_reads.version', '<', is.ref('notes.version'))]),
    )
    .where((is) =>
      is.or([
        is('notes.author_id', '<>', reader.userId),
        is.exists(
          is
            .selectFrom('note_entries')
            .select('note_entries.id')
            .whereRef('note_entries.note_id', '=', 'notes.id')
            .where('note_entries.author_id', '<>', reader.userId),
        ),
      ]),
    )
    .orderBy('notes.changed_at', 'desc')
    .limit(most)
    .execute();
  const ids = candidates.map(({ id }) => id);
  const entries =
    ids.length === 0
      ? []
      : await db
          .selectFrom('note_entries')
          .select(['note_id', 'author_id', 'added_at'])
          .where('note_id', 'in', ids)
          .orderBy('id')
          .execute();
  return candidates.flatMap((note) => {
    const added = entries.filter(({ note_id }) => note_id === note.id);
    const news = newsOf(note, added, note.read_version ?? 0, reader);
    return news.length === 0 ? [] : [{ patientId: note.patient_id, at: Math.max(...news) }];
  });
}
