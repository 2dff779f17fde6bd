import type { Kysely } from 'kysely';
import type { Database } from '../db/schema';

/** Selects the users of a site who have all their rights: not disabled, and waiting for no one to let them in. */
export const activeUsers = (db: Kysely<Database>, siteId: number) =>
  db
    .selectFrom('users')
    .where('site_id', '=', siteId)
    .where('disabled_at', 'is', null)
    .where('waiting_since', 'is', null)
    .where('unconfirmed_since', 'is', null);
