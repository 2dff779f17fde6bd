import type { Kysely } from 'kysely';
import type { Env } from '../env';
import { openStoreForCommand } from '../db/open';
import type { Database } from '../db/schema';

/** Runs the work of a command on the database that the settings name, and returns the exit code. */
export async function withStore(env: Env, work: (db: Kysely<Database>) => Promise<void>): Promise<0> {
  const db = await openStoreForCommand(env);
  try {
    await work(db);
    return 0;
  } finally {
    await db.destroy();
  }
}
