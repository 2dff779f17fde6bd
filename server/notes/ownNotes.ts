import type { z } from 'zod';
import type { ownNotesResponse } from '../../lib/notes/schema';
import { toInstant } from '../../lib/time/schema';
import type { Kysely } from 'kysely';
import type { Database } from '../db/schema';
import { inScope } from '../http/scope';
import type { LiveState } from '../liveState';
import { readNames } from '../users/readNames';
import type { Reader } from './queries';
import { readUnread } from './readUnread';

/** More drafts, or more mentions, than this are not named. */
const most = 500;

/**
 * Resolves with how many notes of each active patient within reach the user has not read, with the user's own drafts,
 * and with the signed notes that mention the user and that they have not read, the newest first. Of more than 500
 * unread notes the newest are counted.
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
  const nameOf = await readNames(
    db,
    mentions.map(({ author_id }) => author_id),
  );
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
