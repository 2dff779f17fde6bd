import type { EpochMs } from '../../lib/time/epochMs';
import type { Store } from '../db/open';
import type { NoteRow } from './queries';

/** Stores that a user has seen a version of a note. One older than the last that they saw changes nothing. */
export async function markNoteRead(
  store: Store,
  now: EpochMs,
  userId: number,
  row: NoteRow,
  version: number,
): Promise<void> {
  const seen = Math.min(version, row.version);
  await store.db
    .insertInto('note_reads')
    .values({ note_id: row.id, user_id: userId, version: seen, read_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['note_id', 'user_id'])
        .doUpdateSet({ version: seen, read_at: now })
        .where('note_reads.version', '<', seen),
    )
    .execute();
}
