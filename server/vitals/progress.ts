import type { Kysely } from 'kysely';
import type { Database } from '../db/schema';

/**
 * The progress of the work on the samples, in epoch minutes: earlier minutes are closed; their continuous samples may
 * have been deleted for their age; the next deletion begins here. In epoch milliseconds: the last step of the clock
 * that the store moved with, by the time before it; since when the clock may be wrong, by the time after a step; the
 * time that it should show, as long as it is more than a day away from that and no one has said that it is right. A
 * number of its own: the era between two steps of the clock (server/clock/era).
 */
export type ProgressName =
  | 'closed_until'
  | 'thinned_until'
  | 'thin_from'
  | 'clock_moved'
  | 'clock_doubted_at'
  | 'clock_expected_at'
  | 'era';

/** Returns the minute or time, 0 before the first. */
export async function readProgress(db: Kysely<Database>, name: ProgressName): Promise<number> {
  const row = await db.selectFrom('progress').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? 0;
}

export async function writeProgress(db: Kysely<Database>, name: ProgressName, value: number): Promise<void> {
  await db
    .insertInto('progress')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
