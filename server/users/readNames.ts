import type { Kysely } from 'kysely';
import type { OpenAlerts } from '../alerts/openAlerts';
import type { Database } from '../db/schema';
import { passOver } from '../http/errors';

/** A user as API responses name them. */
export interface Person {
  id: number;
  name: string;
}

/** Reads the names of users and returns a function that takes an id and returns the name. */
export async function readNames(db: Kysely<Database>, ids: readonly number[]): Promise<(id: number) => Person> {
  const wanted = [...new Set(ids)];
  const rows =
    wanted.length === 0
      ? []
      : await db.selectFrom('users').select(['id', 'fname', 'lname']).where('id', 'in', wanted).execute();
  const names = new Map(rows.map(({ id, fname, lname }) => [id, `${fname} ${lname}`]));
  return (id) => ({ id, name: names.get(id) ?? `user ${id}` });
}

/** Does the same for the users of the alerts in memory; while nothing can be read their initials are their names. */
export async function readNamesOrInitials(
  db: Kysely<Database>,
  openAlerts: Pick<OpenAlerts, 'initialsOf'>,
  ids: readonly number[],
): Promise<(id: number) => Person> {
  try {
    return await readNames(db, ids);
  } catch (error) {
    passOver(error);
    return (id) => ({ id, name: openAlerts.initialsOf(id) });
  }
}
