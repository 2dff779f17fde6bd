import type { z } from 'zod';
import type { ownNotesResponse } from '../../lib/notes/schema';
import { toInstant } from '../../lib/time/schema';
import type { Kysely } from 'kysely';
import type { Database } from '../db/schema';
import { inScope } from '../http/scope';
import type { LiveState } from '../liveState';
import { isUnread, type Reader } from './queries';

/** More unread notes than this say no more than this many. */
const most = 500;

/**
 * Resolves with how many notes of each active patient within reach the user has not read, and with the user's own
 * drafts. Of more than 500 unread notes the newest are counted.
 */
export async function readOwnNotes(
  db: Kysely<Database>,
  liveState: LiveState,
  reader: Reader,
): Promise<z.input<typeof ownNotesResponse>> {
  const patientIds = [...liveState.patients.values()]
    .filter((row) => row.state === 'active' && inScope(reader.scope, row))
    .map(({ id }) => id);
  if (patientIds.length === 0) {
    return { unread: [], drafts: [] };
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
  const entries =
    candidates.length === 0
      ? []
      : await db
          .selectFrom('note_entries')
          .select(['note_id', 'author_id', 'added_at'])
          .where(
            'note_id',
            'in',
            candidates.map(({ id }) => id),
          )
          .orderBy('id')
          .execute();
  const counts = new Map<number, number>();
  for (const note of candidates) {
    const added = entries.filter(({ note_id }) => note_id === note.id);
    if (isUnread(note, added, note.read_version ?? 0, reader)) {
      counts.set(note.patient_id, (counts.get(note.patient_id) ?? 0) + 1);
    }
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
  return {
    unread: [...counts].map(([patientId, count]) => ({ patientId, count })),
    drafts: drafts.map(({ id, patient_id: patientId, type, written_at }) => ({
      id,
      patientId,
      type,
      writtenAt: toInstant(written_at),
    })),
  };
}
