import type { Kysely } from 'kysely';
import type { UserType } from '../../lib/session/userTypes';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';

export interface NewUser {
  siteId: number;
  email: string;
  fname: string;
  lname: string;
  type: UserType;
  isAdmin: boolean;
  passwordHash: string;
  /** The user has registered, and an administrator still has to approve. */
  isWaiting: boolean;
}

/**
 * Inserts a user and returns the id. Violates a unique constraint if the address already has an account (see
 * `isTaken`).
 */
export async function insertUser(transaction: Kysely<Database>, now: EpochMs, user: NewUser): Promise<number> {
  const { id } = await transaction
    .insertInto('users')
    .values({
      site_id: user.siteId,
      email: user.email,
      username: user.email,
      fname: user.fname,
      lname: user.lname,
      user_image: null,
      type: user.type,
      is_admin: user.isAdmin ? 1 : 0,
      password_hash: user.passwordHash,
      waiting_since: user.isWaiting ? now : null,
      disabled_at: null,
      last_active_at: null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
