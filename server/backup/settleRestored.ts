import type { Kysely } from 'kysely';
import { userTypeLabels } from '../../lib/session/userTypes';
import type { EpochMs } from '../../lib/time/epochMs';
import { auditDone } from '../audit';
import { system } from '../audit/actor';
import { endEra } from '../clock/era';
import type { Database } from '../db/schema';

/** What a restore ended, and what may have ended after the backup was taken, so that somebody has to look at it. */
export interface Settled {
  sessions: number;
  accountTokens: number;
  /** With a token that works again, even if it was revoked or renewed after the backup. */
  devices: { id: number; name: string }[];
  /** Who can sign in with the password of that time, even if they were disabled or changed it after the backup. */
  users: { id: number; email: string; role: string }[];
  /** HL7 senders whose messages are taken again, even if they were revoked after the backup. */
  senders: { id: number; name: string }[];
  /** Beds and codes of HL7 senders that have to be confirmed again: patients may have moved, or they were wrong. */
  mappings: number;
  /** How many check-in links work again, even if they were revoked after the backup. */
  checkInLinks: number;
}

/**
 * Ends what a backup would revive, in the caller's transaction: all sessions, invitations and reset links, the browsers
 * that are known, and the confirmations of beds and codes. Records it, and returns what cannot be ended because the
 * ward needs it. `tables` are those of the backup, whose schema may be older than ours.
 */
export async function settleRestored(
  transaction: Kysely<Database>,
  now: EpochMs,
  tables: Readonly<Record<string, unknown>>,
): Promise<Settled> {
  const ended = await transaction
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  const voided = await transaction
    .updateTable('account_tokens')
    .set({ voided_at: now })
    .where('used_at', 'is', null)
    .where('voided_at', 'is', null)
    .executeTakeFirst();
  await transaction.deleteFrom('known_browsers').execute();
  await endEra(transaction);
  const devices = await transaction
    .selectFrom('devices')
    .select(['id', 'name'])
    .where('revoked_at', 'is', null)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', now)]))
    .$if('hl7_senders' in tables, (query) => query.where('sender_id', 'is', null))
    .orderBy('id')
    .execute();
  const senders =
    'hl7_senders' in tables
      ? await transaction
          .selectFrom('hl7_senders')
          .select(['id', 'name'])
          .where('revoked_at', 'is', null)
          .orderBy('id')
          .execute()
      : [];
  const unconfirm = async (table: 'bed_mappings' | 'code_mappings'): Promise<number> => {
    if (!(table in tables)) {
      return 0;
    }
    const { numUpdatedRows } = await transaction
      .updateTable(table)
      .set({ confirmed_at: null, confirmed_by: null })
      .where('ended_at', 'is', null)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  };
  const users = await transaction
    .selectFrom('users')
    .select(['id', 'email', 'type', 'is_admin'])
    .where('disabled_at', 'is', null)
    .where('waiting_since', 'is', null)
    .orderBy('id')
    .execute();
  const links =
    'check_in_links' in tables
      ? await transaction
          .selectFrom('check_in_links')
          .select('id')
          .where('revoked_at', 'is', null)
          .where('expires_at', '>', now)
          .execute()
      : [];
  const settled = {
    sessions: Number(ended.numUpdatedRows),
    accountTokens: Number(voided.numUpdatedRows),
    devices,
    senders,
    mappings: (await unconfirm('bed_mappings')) + (await unconfirm('code_mappings')),
    users: users.map(({ id, email, type, is_admin }) => ({
      id,
      email,
      role: `${userTypeLabels[type]}${is_admin === 1 ? ', administrator' : ''}`,
    })),
    checkInLinks: links.length,
  };
  const { sessions, accountTokens } = settled;
  await auditDone(transaction, now, system, 'restore_backup', null, { sessions, accountTokens });
  return settled;
}
