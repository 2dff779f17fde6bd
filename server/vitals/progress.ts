import type { Kysely } from 'kysely';
import type { Database } from '../db/schema';

/**
 * The progress of the work on the samples, in epoch minutes: earlier minutes are closed; their continuous samples may
 * have been deleted for their age; the next deletion begins here.
 */
export type ProgressName = 'closed_until' | 'thinned_until' | 'thin_from' | 'clock_moved';

/** Returns the minute, 0 before the first. */
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
