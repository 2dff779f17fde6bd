import type { User } from '../../lib/session/schema';
import { audit } from '../audit';
import type { Actor } from '../audit/actor';
import { hold } from '../db/hold';
import type { Store } from '../db/open';
import { notFound, HttpError } from '../http/httpError';
import type { Sessions } from '../session/sessions';

/** How long the glass stays broken, in milliseconds (clinical.md section 9). */
export const breakGlassLastsMs = 60 * 60_000;
const hourMs = 3_600_000;
/**
 * Of so many openings of one user in an hour administrators get a mail; the others stand on their list all the same.
 */
const mailsAnHour = 3;

/**
 * Opens every unit of the site for a user's reading, and says whether administrators are to get a mail of it: nobody
 * floods their boxes by opening and ending again. The reason is kept for them and never in the audit. Refuses with 409
 * `already_open` while it is open. `now` is epoch milliseconds.
 */
export async function breakGlass(
  store: Store,
  sessions: Pick<Sessions, 'reload'>,
  now: number,
  actor: Actor,
  user: User,
  reason: string,
): Promise<{ isMailed: boolean }> {
  const before = await store.db.transaction().execute(async (transaction) => {
    // Of many calls at once one opens, and counts the ones before it.
    await hold(transaction, 'users', user.id);
    const openings = await transaction
      .selectFrom('break_glass')
      .select(['started_at', 'ends_at'])
      .where('user_id', '=', user.id)
      .where('ends_at', '>', now - hourMs)
      .execute();
    if (openings.some(({ ends_at }) => ends_at > now)) {
      throw new HttpError(409, 'already_open', 'Emergency access is open already.');
    }
    const { id } = await transaction
      .insertInto('break_glass')
      .values({ site_id: user.siteId, user_id: user.id, reason, started_at: now, ends_at: now + breakGlassLastsMs })
      .returning('id')
      .executeTakeFirstOrThrow();
    await audit(transaction, now, actor, {
      action: 'break_glass',
      outcome: 'done',
      objectType: 'break_glass',
      objectId: id,
    });
    return openings.filter(({ started_at }) => started_at > now - hourMs).length;
  });
  await sessions.reload([user.id]);
  return { isMailed: before < mailsAnHour };
}

/** Ends what a user has opened; without anything open nothing happens. `now` is epoch milliseconds. */
export async function endBreakGlass(
  store: Store,
  sessions: Pick<Sessions, 'reload'>,
  now: number,
  actor: Actor,
  userId: number,
): Promise<void> {
  await store.db.transaction().execute(async (transaction) => {
    const ended = await transaction
      .updateTable('break_glass')
      .set({ ends_at: now })
      .where('user_id', '=', userId)
      .where('ends_at', '>', now)
      .returning('id')
      .execute();
    for (const { id } of ended) {
      await audit(transaction, now, actor, {
        action: 'end_break_glass',
        outcome: 'done',
        objectType: 'break_glass',
        objectId: id,
      });
    }
  });
  await sessions.reload([userId]);
}

/**
 * Notes that an administrator has read of an emergency; the first one stays noted. Refuses with 404 one that is not of
 * the site, with 409 `own_emergency` the administrator's own: somebody else has to look at it. `now` is epoch
 * milliseconds.
 */
export async function seeBreakGlass(
  store: Store,
  now: number,
  actor: Actor,
  siteId: number,
  userId: number,
  id: number,
): Promise<void> {
  await store.db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('break_glass')
      .select(['user_id', 'seen_at'])
      .where('id', '=', id)
      .where('site_id', '=', siteId)
      .executeTakeFirst();
    if (row === undefined) {
      throw notFound();
    }
    if (row.user_id === userId) {
      throw new HttpError(409, 'own_emergency', 'This was you. Another administrator has to look at it.');
    }
    if (row.seen_at !== null) {
      return;
    }
    await transaction.updateTable('break_glass').set({ seen_at: now, seen_by: userId }).where('id', '=', id).execute();
    await audit(transaction, now, actor, {
      action: 'see_break_glass',
      outcome: 'done',
      objectType: 'break_glass',
      objectId: id,
    });
  });
}
