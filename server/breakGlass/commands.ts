import { audit, type Actor } from '../audit';
import type { Store } from '../db/open';
import { notFound, Refusal } from '../http/refusal';
import type { Session, Sessions } from '../session/sessions';

/** How long the glass stays broken, in milliseconds (clinical.md section 9). */
export const breakGlassLastsMs = 60 * 60_000;

/**
 * Opens every unit of the site for a user's reading. The reason is kept for the administrators and never in the audit. Refuses
 * with 409 `already_open` while it is open. `now` is epoch milliseconds.
 */
export async function breakGlass(
  store: Store,
  sessions: Pick<Sessions, 'reload'>,
  now: number,
  actor: Actor,
  { user, breakGlassUntil }: Session,
  reason: string,
): Promise<void> {
  if (breakGlassUntil !== null && now < breakGlassUntil) {
    throw new Refusal(409, 'already_open', 'Emergency access is open already.');
  }
  await store.db.transaction().execute(async (transaction) => {
    const { id } = await transaction
      .insertInto('break_glass')
      .values({ site_id: user.siteId, user_id: user.id, reason, started_at: now, ends_at: now + breakGlassLastsMs })
      .returning('id')
      .executeTakeFirstOrThrow();
    await audit(transaction, now, actor, { action: 'break_glass', outcome: 'done', objectType: 'break_glass', objectId: id });
  });
  await sessions.reload([user.id]);
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
      await audit(transaction, now, actor, { action: 'end_break_glass', outcome: 'done', objectType: 'break_glass', objectId: id });
    }
  });
  await sessions.reload([userId]);
}

/**
 * Notes that an administrator has read of an emergency; the first one stays noted. Refuses with 404 one that is not of the site,
 * with 409 `own_emergency` the administrator's own: somebody else has to look at it. `now` is epoch milliseconds.
 */
export async function seeBreakGlass(store: Store, now: number, actor: Actor, siteId: number, userId: number, id: number): Promise<void> {
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
      throw new Refusal(409, 'own_emergency', 'This was you. Another administrator has to look at it.');
    }
    if (row.seen_at !== null) {
      return;
    }
    await transaction.updateTable('break_glass').set({ seen_at: now, seen_by: userId }).where('id', '=', id).execute();
    await audit(transaction, now, actor, { action: 'see_break_glass', outcome: 'done', objectType: 'break_glass', objectId: id });
  });
}
