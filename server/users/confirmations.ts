import type { Kysely } from 'kysely';
import { reachOf } from '../../lib/session/permissions';
import type { User } from '../../lib/session/schema';
import { toInstant } from '../../lib/time/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Confirmation } from '../../lib/users/schema';
import type { Database } from '../db/schema';
import { notFound, HttpError } from '../http/httpError';
import { decide, insertProposal, ofSite, proposalsOf, type By } from '../proposals/proposals';
import type { Server } from '../server';
import { activeUsers } from './activeUsers';
import { listUsers } from './queries';
import { readNames } from './readNames';

/**
 * What becomes of an account that an administrator alone has opened: it waits for somebody else's confirmation, or it
 * is open at once because no one else of the site could give it.
 */
export type Opening = 'waits' | 'no one could confirm';

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
    .set({ unconfirmed_since: now })
    .where('id', '=', userId)
    .where('unconfirmed_since', 'is', null)
    .execute();
  const subject = { kind: 'account', object_id: userId, about: '' } as const;
  const made = { site_id: siteId, proposed_at: now, proposed_by: makerId, wanted: 'null' };
  await insertProposal(transaction, { ...subject, ...made });
  return 'waits';
}

type Row = { type: User['type']; is_admin: number };

const seesSite = ({ type }: Row): boolean => reachOf({ type, isAdmin: false }, 'readPatients') === 'site';
const mayConfirm = ({ type, is_admin }: Row): boolean =>
  reachOf({ type, isAdmin: is_admin === 1 }, 'confirmUsers') !== null;

/** Returns the users of the caller's site who wait for confirmation, the longest first. */
export async function listConfirmations(db: Kysely<Database>, own: User): Promise<Confirmation[]> {
  const rows = await proposalsOf(db, own.siteId, 'account')
    .innerJoin('users', 'users.id', 'proposals.object_id')
    .select(['users.id', 'proposed_at', 'proposed_by', 'link_made_by'])
    .where('state', '=', 'proposed')
    .where('disabled_at', 'is', null)
    .orderBy('proposed_at')
    .orderBy('users.id')
    .execute();
  if (rows.length === 0) {
    return [];
  }
  const users = new Map((await listUsers(db, own.siteId)).map((user) => [user.id, user]));
  const makers = rows.map(({ proposed_by }) => proposed_by);
  const nameOf = await readNames(db, makers);
  return rows.flatMap(({ id, proposed_at, proposed_by, link_made_by }) => {
    const user = users.get(id);
    return user === undefined
      ? []
      : {
          id,
          name: `${user.fname} ${user.lname}`,
          type: user.type,
          isAdmin: user.isAdmin,
          units: user.units,
          since: toInstant(proposed_at),
          openedBy: proposed_by === id ? null : nameOf(proposed_by).name,
          mayConfirm: ![id, proposed_by, link_made_by].includes(own.id),
        };
  });
}

/**
 * Confirms a user of the caller's site, whose next call has their rights. Rejects with 404 if the user is of another
 * site, 409 `not_waiting` or `proposal_decided`, and 403 `own_link` if the caller opened the account or made its link.
 */
export async function confirmUser(
  { store, sessions, accountQueue }: Pick<Server, 'store' | 'sessions' | 'accountQueue'>,
  by: By,
  id: number,
): Promise<void> {
  const { id: ownId, siteId } = by.user;
  await accountQueue(async () => {
    await ofSite(store.db, siteId, async (transaction) => {
      const ofUser = transaction.selectFrom('users').where('id', '=', id).where('site_id', '=', siteId);
      const user = await ofUser.select(['link_made_by', 'disabled_at']).executeTakeFirstOrThrow(notFound);
      const ofAccount = proposalsOf(transaction, siteId, 'account').where('object_id', '=', id);
      const last = await ofAccount.select(['id', 'proposed_by']).orderBy('id', 'desc').executeTakeFirst();
      if (last === undefined || user.disabled_at !== null) {
        throw new HttpError(409, 'not_waiting', 'This user does not wait for confirmation.', { id });
      }
      if ([id, last.proposed_by, user.link_made_by].includes(ownId)) {
        throw new HttpError(403, 'own_link', 'You opened this account yourself. Somebody else has to confirm it.');
      }
      await decide(transaction, by, ['account', last.id], { approves: true }, () =>
        transaction.updateTable('users').set({ unconfirmed_since: null }).where('id', '=', id).execute(),
      );
    });
    await sessions.reload([id]);
  });
}
