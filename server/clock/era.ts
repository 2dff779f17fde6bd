import { randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../db/schema';
import { readProgress, writeProgress } from '../vitals/progress';

/**
 * Begins another era: our clock was set. Returns its number, which says nothing but that it is another. Instants that
 * are kept outside the store, as those of HL7 messages are, do not move with a step; they agree with what the store
 * has only in the era in which they were written.
 */
export async function beginEra(db: Kysely<Database>): Promise<number> {
  // The greatest range of `randomInt`: no two eras are the same.
  const era = randomInt(1, 2 ** 48 - 1);
  await writeProgress(db, 'era', era);
  return era;
}

/** Resolves with the era of the store. One that has none, new or restored from a backup, begins one. */
export async function loadEra(db: Kysely<Database>): Promise<number> {
  const era = await readProgress(db, 'era');
  return era === 0 ? await beginEra(db) : era;
}

/** Ends the era of a backup that is restored: what came after it was taken is not in the store. */
export async function endEra(transaction: Kysely<Database>): Promise<void> {
  await transaction.deleteFrom('progress').where('name', '=', 'era').execute();
}
