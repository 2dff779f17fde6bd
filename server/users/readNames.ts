import type { Kysely } from 'kysely';
import type { Database } from '../db/schema';

/** Somebody as answers name them. */
export interface Person {
  id: number;
  name: string;
}

/** Reads the names of some users and returns a function that names one by their id. */
export async function readNames(db: Kysely<Database>, ids: readonly number[]): Promise<(id: number) => Person> {
  const wanted = [...new Set(ids)];
  const rows =
    wanted.length === 0
      ? []
      : await db.selectFrom('users').select(['id', 'fname', 'lname']).where('id', 'in', wanted).execute();
  const names = new Map(rows.map(({ id, fname, lname }) => [id, `${fname} ${lname}`]));
  return (id) => ({ id, name: names.get(id) ?? `user ${id}` });
}
