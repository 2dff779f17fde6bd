import { auditDone } from '../audit';
import { hold } from '../db/hold';
import { notFound, HttpError } from '../http/httpError';
import type { By } from '../proposals/proposals';
import type { Server } from '../server';

type Parts = Pick<Server, 'store' | 'sessions'>;

/** How long emergency access lasts, in milliseconds (clinical.md section 9). */
export const breakGlassLastsMs = 60 * 60_000;
const hourMs = 3_600_000;
/** The most mails to administrators about one user in an hour. Their list shows every emergency access. */
const mailsAnHour = 3;

/**
 * Lets a user read every unit of the site, and returns whether to mail the administrators, so that opening and ending
 * repeatedly does not flood them. The reason is stored for them, but never in the audit. Rejects with 409
 * `already_open` while the access is open.
 */
export async function breakGlass(
  { store, sessions }: Parts,
  { user, actor, now }: By,
  reason: string,
): Promise<{ isMailed: boolean }> {
  const before = await store.db.transaction().execute(async (transaction) => {
    // Concurrent calls run one after another: only one opens, and it counts the earlier ones.
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
    await auditDone(transaction, now, actor, 'break_glass', ['break_glass', id]);
    return openings.filter(({ started_at }) => started_at > now - hourMs).length;
  });
  await sessions.reload([user.id]);
  return { isMailed: before < mailsAnHour };
}

/** Ends a user's emergency access. Does nothing if none is open. */
export async function endBreakGlass({ store, sessions }: Parts, { user, actor, now }: By): Promise<void> {
  await store.db.transaction().execute(async (transaction) => {
    const ended = await transaction
      .updateTable('break_glass')
      .set({ ends_at: now })
      .where('user_id', '=', user.id)
      .where('ends_at', '>', now)
      .returning('id')
      .execute();
    for (const { id } of ended) {
      await auditDone(transaction, now, actor, 'end_break_glass', ['break_glass', id]);
    }
  });
  await sessions.reload([user.id]);
}

/**
 * Records that an administrator has read about an emergency access; the first reader is kept. Rejects with 404 if it is
 * not of the site, and with 409 `own_emergency` if it is the administrator's own: another one has to read it.
 */
export async function seeBreakGlass({ store }: Parts, { user, actor, now }: By, id: number): Promise<void> {
  await store.db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('break_glass')
      .select(['user_id', 'seen_at'])
      .where('id', '=', id)
      .where('site_id', '=', user.siteId)
      .executeTakeFirstOrThrow(notFound);
    if (row.user_id === user.id) {
      throw new HttpError(409, 'own_emergency', 'This was you. Another administrator has to look at it.');
    }
    if (row.seen_at !== null) {
      return;
    }
    await transaction.updateTable('break_glass').set({ seen_at: now, seen_by: user.id }).where('id', '=', id).execute();
    await auditDone(transaction, now, actor, 'see_break_glass', ['break_glass', id]);
  });
}
