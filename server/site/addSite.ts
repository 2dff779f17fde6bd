import type { Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import { audit } from '../audit';
import { system } from '../audit/actor';
import type { Database } from '../db/schema';
import { emailExists } from '../session/accounts';
import { makeToken } from '../session/accountTokens';

/** A further site, and the address of the person who will be its first administrator. */
export interface NewSite {
  name: string;
  /** An IANA zone. */
  timeZone: string;
  adminEmail: string;
}

/**
 * Adds a site to an installation and invites its first administrator, who sees no patients. Rejects with 409
 * `email_exists`. Returns the secret of the invitation, which the store keeps only as a hash; `expiresAt` is in epoch
 * milliseconds.
 */
export async function addSite(
  db: Kysely<Database>,
  now: EpochMs,
  { name, timeZone, adminEmail: email }: NewSite,
): Promise<{ id: number; secret: string; expiresAt: EpochMs }> {
  return await db.transaction().execute(async (transaction) => {
    const known = await transaction.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
    if (known !== undefined) {
      throw emailExists();
    }
    const { id } = await transaction
      .insertInto('sites')
      .values({ name, time_zone: timeZone, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    const invited = { type: 'administrator', isAdmin: true, unitIds: [] } as const;
    const { secret, expiresAt } = await makeToken(transaction, now, {
      kind: 'invitation',
      siteId: id,
      email,
      createdBy: null,
      // To the operator, who could do everything anyway.
      isShown: true,
      ...invited,
    });
    await audit(
      transaction,
      now,
      { ...system, siteId: id },
      {
        action: 'add_site',
        outcome: 'done',
        objectType: 'site',
        objectId: id,
      },
    );
    return { id, secret, expiresAt };
  });
}
