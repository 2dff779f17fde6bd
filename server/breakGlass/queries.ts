import type { BreakGlassNotice, BreakGlassNotices } from '../../lib/breakGlass/schema';
import { instantOrNull, toInstant } from '../../lib/time/schema';
import type { Store } from '../db/open';
import { activeUsers } from '../users/activeUsers';

/** How many entries that were already read the list shows. */
const shownSeen = 50;

/** Returns the site's emergency accesses: all that no administrator has read yet, and the newest of the others. */
export async function listBreakGlass(store: Store, siteId: number): Promise<BreakGlassNotices> {
  const ofSite = store.db
    .selectFrom('break_glass')
    .innerJoin('users as person', 'person.id', 'break_glass.user_id')
    .leftJoin('users as seer', 'seer.id', 'break_glass.seen_by')
    .selectAll('break_glass')
    .select(['person.fname', 'person.lname', 'person.type', 'seer.fname as seer_fname', 'seer.lname as seer_lname'])
    .where('break_glass.site_id', '=', siteId)
    .orderBy('break_glass.id', 'desc');
  const unseen = await ofSite.where('break_glass.seen_at', 'is', null).execute();
  const seen = await ofSite.where('break_glass.seen_at', 'is not', null).limit(shownSeen).execute();
  const items = [...unseen, ...seen].map((row): BreakGlassNotice => ({
    id: row.id,
    name: `${row.fname} ${row.lname}`,
    type: row.type,
    reason: row.reason,
    startedAt: toInstant(row.started_at),
    endsAt: toInstant(row.ends_at),
    seenAt: instantOrNull(row.seen_at),
    seenBy: row.seer_fname === null || row.seer_lname === null ? null : `${row.seer_fname} ${row.seer_lname}`,
  }));
  return { items, total: items.length, unseen: unseen.length };
}

/**
 * Returns the e-mail addresses of the administrators to notify of an emergency access: all of the site who can sign in,
 * except the one who opened it.
 */
export async function readNotified(store: Store, siteId: number, byUserId: number): Promise<string[]> {
  const rows = await activeUsers(store.db, siteId)
    .select('email')
    .where('is_admin', '=', 1)
    .where('id', '!=', byUserId)
    .orderBy('id')
    .execute();
  return rows.map(({ email }) => email);
}
