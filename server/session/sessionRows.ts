import type { Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import type { Session } from './session';
import { breakGlassUntilOf } from './sessionTimes';
import { readUsers } from './users';

/** Reads the sessions that are still valid, by their tokens. */
export async function readSessions(store: Store, now: EpochMs): Promise<Map<string, Session>> {
  const rows = await store.db
    .selectFrom('sessions')
    .selectAll()
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .execute();
  const userIds = rows.map((row) => row.user_id);
  const users = await readUsers(store.db, now, userIds);
  const live = new Map<string, Session>();
  for (const row of rows) {
    const user = users.get(row.user_id);
    if (user !== undefined) {
      live.set(row.token, {
        token: row.token,
        secretHash: row.secret_hash,
        startedAt: row.created_at,
        expiresAt: row.expires_at,
        lastInputAt: row.last_input_at,
        lockedAt: row.locked_at,
        provedAt: null,
        ip: row.ip,
        userAgent: row.user_agent,
        user,
        breakGlassUntil: breakGlassUntilOf(user),
      });
    }
  }
  return live;
}

/** Stores a new session. Its user is active with it, before a page of theirs has reported itself. */
export async function insertSession(transaction: Kysely<Database>, session: Session): Promise<void> {
  await transaction
    .insertInto('sessions')
    .values({
      token: session.token,
      secret_hash: session.secretHash,
      user_id: session.user.id,
      created_at: session.startedAt,
      expires_at: session.expiresAt,
      ended_at: null,
      last_input_at: session.lastInputAt,
      locked_at: session.lockedAt,
      ip: session.ip,
      user_agent: session.userAgent,
    })
    .execute();
  await transaction
    .updateTable('users')
    .set({ last_active_at: session.lastInputAt })
    .where('id', '=', session.user.id)
    .execute();
}

/** Stores that sessions have ended. */
export async function endSessions(
  transaction: Kysely<Database>,
  tokens: readonly string[],
  at: EpochMs,
): Promise<void> {
  if (tokens.length > 0) {
    await transaction.updateTable('sessions').set({ ended_at: at }).where('token', 'in', tokens).execute();
  }
}
