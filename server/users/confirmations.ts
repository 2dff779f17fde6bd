import type { Kysely } from 'kysely';
import { reachOf } from '../../lib/session/permissions';
import type { User } from '../../lib/session/schema';
import { toInstant } from '../../lib/time/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Confirmation } from '../../lib/users/schema';
import { auditDone } from '../audit';
import type { Actor } from '../audit/actor';
import { hold } from '../db/hold';
import type { Database } from '../db/schema';
import { notFound, HttpError } from '../http/httpError';
import type { Server } from '../server';
import { activeUsers } from './activeUsers';
import { listUsers } from './queries';

/**
 * What becomes of an account that an administrator alone has opened: it waits for somebody else's confirmation, or it
 * is open at once because no one else of the site could give it.
 */
export type Opening = 'waits' | 'no one could confirm';

const notUnconfirmed = (id: number): HttpError =>
  new HttpError(409, 'not_waiting', 'This user does not wait for confirmation.', { id });

/**
 * Decides whether a user waits for confirmation after `makerId` made it possible to sign in as them: by a link that was
 * shown, or by an approval, neither of them a proof of who the person is. Stores it in the caller's transaction and
 * returns it, or null if the maker sees all patients of the site anyway. A user who waits already goes on waiting. Call
 * it while the site is held: of two accounts that are opened at once, the second then sees the first.
 */
export async function requireConfirmation(
  transaction: Kysely<Database>,
  now: EpochMs,
  { siteId, userId, makerId }: { siteId: number; userId: number; makerId: number },
): Promise<Opening | null> {
  const others = await activeUsers(transaction, siteId)
    .select(['id', 'type', 'is_admin'])
    .where('id', '!=', userId)
    .execute();
  const ofMaker = others.find(({ id }) => id === makerId);
  if (makerId === userId || (ofMaker !== undefined && seesSite(ofMaker))) {
    return null;
  }
  const couldConfirm = others.some((row) => row.id !== makerId && mayConfirm(row));
  if (!couldConfirm) {
    return 'no one could confirm';
  }
  await transaction
    .updateTable('users')
    .set({ unconfirmed_since: now, opened_by: makerId })
    .where('id', '=', userId)
    .where('unconfirmed_since', 'is', null)
    .execute();
  return 'waits';
}

type Row = { type: User['type']; is_admin: number };

const seesSite = ({ type }: Row): boolean => reachOf({ type, isAdmin: false }, 'readPatients') === 'site';
const mayConfirm = ({ type, is_admin }: Row): boolean =>
  reachOf({ type, isAdmin: is_admin === 1 }, 'confirmUsers') !== null;

/** Returns the users of the caller's site who wait for confirmation, the longest first. */
export async function listConfirmations(db: Kysely<Database>, own: User): Promise<Confirmation[]> {
  const rows = await db
    .selectFrom('users')
    .leftJoin('users as makers', 'makers.id', 'users.opened_by')
    .select(['users.id', 'users.unconfirmed_since', 'users.opened_by', 'users.link_made_by'])
    .select(['makers.fname', 'makers.lname'])
    .where('users.site_id', '=', own.siteId)
    .where('users.unconfirmed_since', 'is not', null)
    .where('users.disabled_at', 'is', null)
    .orderBy('users.unconfirmed_since')
    .orderBy('users.id')
    .execute();
  if (rows.length === 0) {
    return [];
  }
  const users = new Map((await listUsers(db, own.siteId)).map((user) => [user.id, user]));
  return rows.flatMap(({ id, unconfirmed_since, opened_by, link_made_by, fname, lname }) => {
    const user = users.get(id);
    return user === undefined || unconfirmed_since === null
      ? []
      : {
          id,
          name: `${user.fname} ${user.lname}`,
          type: user.type,
          isAdmin: user.isAdmin,
          units: user.units,
          since: toInstant(unconfirmed_since),
          openedBy: fname === null || lname === null ? null : `${fname} ${lname}`,
          mayConfirm: ![id, opened_by, link_made_by].includes(own.id),
        };
  });
}

/**
 * Confirms a user of the caller's site, whose next call has their rights. Rejects with 404 if the user is of another
 * site, 409 `not_waiting`, and 403 `own_link` if the caller opened the account or made its link.
 */
export async function confirmUser(
  { store, sessions, accountQueue }: Pick<Server, 'store' | 'sessions' | 'accountQueue'>,
  now: EpochMs,
  { user: own, actor }: { user: User; actor: Actor },
  id: number,
): Promise<void> {
  await accountQueue(async () => {
    await store.db.transaction().execute(async (transaction) => {
      await hold(transaction, 'sites', own.siteId);
      const row = await transaction
        .selectFrom('users')
        .select(['unconfirmed_since', 'opened_by', 'link_made_by', 'disabled_at'])
        .where('id', '=', id)
        .where('site_id', '=', own.siteId)
        .executeTakeFirst();
      if (row === undefined) {
        throw notFound();
      }
      if (row.unconfirmed_since === null || row.disabled_at !== null) {
        throw notUnconfirmed(id);
      }
      if ([id, row.opened_by, row.link_made_by].includes(own.id)) {
        throw new HttpError(403, 'own_link', 'You opened this account yourself. Somebody else has to confirm it.');
      }
      await transaction.updateTable('users').set({ unconfirmed_since: null }).where('id', '=', id).execute();
      await auditDone(transaction, now, actor, 'confirm_user', ['user', id]);
    });
    await sessions.reload([id]);
  });
}
