import type { z } from 'zod';
import type { ownNotesResponse } from '../../lib/notes/schema';
import { toInstant } from '../../lib/time/schema';
import type { Kysely } from 'kysely';
import type { Database } from '../db/schema';
import { inScope } from '../http/scope';
import type { LiveState } from '../liveState';
import type { Reader } from './queries';
import { readUnread } from './readUnread';

/** More drafts than this are not named. */
const mostDrafts = 500;

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
    .limit(mostDrafts)
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
