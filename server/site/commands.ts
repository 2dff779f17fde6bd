import { dequal } from 'dequal/lite';
import type { Kysely } from 'kysely';
import { intendedUseVersion } from '../../lib/site/intendedUse';
import type { SitePatch } from '../../lib/site/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { auditDone } from '../audit';
import type { Database } from '../db/schema';
import { HttpError } from '../http/httpError';
import type { By } from '../proposals/proposals';
import type { Sessions } from '../session/sessions';
import { reserveName } from './addSite';
import { readSite } from './queries';

/**
 * Changes a site's settings. They apply to its users' sessions from the next call on. Rejects with 409
 * `changed_meanwhile` if the patch is for another version, `site_exists` if another site has the new name, and
 * `number_in_use` if it takes away the emergency number that the pages of check-in links show.
 */
export async function changeSite(
  { db, sessions }: { db: Kysely<Database>; sessions: Sessions },
  { user: { siteId }, actor, now }: By,
  { version, ...patch }: SitePatch,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // The page sends the whole form. If this is not of the version that the patch is for, nothing is changed.
    const before: Record<string, unknown> = await readSite(transaction, siteId);
    if (patch.name !== undefined) {
      await reserveName(transaction, patch.name, siteId);
    }
    const changed = await transaction
      .updateTable('sites')
      .set({
        name: patch.name,
        time_zone: patch.timeZone,
        emergency_number: patch.emergencyNumber,
        rapid_response_number: patch.rapidResponseNumber,
        sign_up_mode: patch.signUpMode,
        idle_minutes: patch.idleMinutes,
        shift_starts: patch.shiftStarts?.join(','),
        check_in_times: patch.checkInTimes?.join(','),
        out_of_hours_text: patch.outOfHoursText,
        chat_patient_label: patch.chatPatientLabel,
        date_order: patch.dateOrder,
        mrn_authorities: patch.mrnAuthorities?.join('\n'),
        version: version + 1,
      })
      .where('id', '=', siteId)
      .where('version', '=', version)
      .returning('id')
      .executeTakeFirst();
    if (changed === undefined) {
      throw new HttpError(
        409,
        'changed_meanwhile',
        'Another administrator has changed these settings in the meantime. Reload the page and look at them again.',
      );
    }
    if (patch.emergencyNumber === null && (await hasOpenLink(transaction, siteId, now))) {
      throw new HttpError(
        409,
        'number_in_use',
        'Patients check in by links that show this number. Revoke the links first, or set another number.',
      );
    }
    const fields = Object.entries(patch).flatMap(([field, value]) => (dequal(value, before[field]) ? [] : [field]));
    await auditDone(transaction, now, actor, 'change_site', ['site', siteId], {
      fields,
      // Whose patient a value was depends on it.
      ...(fields.includes('mrnAuthorities') ? { mrnAuthorities: patch.mrnAuthorities } : {}),
    });
  });
  await reloadSessions(db, sessions, siteId);
}

/** The row of the site is locked by then: no link can be made meanwhile (server/checkIn/links). */
async function hasOpenLink(transaction: Kysely<Database>, siteId: number, now: EpochMs): Promise<boolean> {
  const open = await transaction
    .selectFrom('check_in_links')
    .select('id')
    .where('site_id', '=', siteId)
    .where('revoked_at', 'is', null)
    .where('locked_at', 'is', null)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}

/**
 * Stores who accepted the intended use, when, and in which version; the first to accept a version is kept. The first
 * acceptance starts the site's alert rules, and the pages of all signed-in users of the site are notified.
 */
export async function acceptIntendedUse(
  { db, sessions }: { db: Kysely<Database>; sessions: Sessions },
  { user: { id: userId, siteId }, actor, now }: By,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const accepted = await transaction
      .updateTable('sites')
      .set((before) => ({
        intended_use_accepted_at: now,
        intended_use_accepted_by: userId,
        intended_use_version: intendedUseVersion,
        version: before('version', '+', 1),
      }))
      .where('id', '=', siteId)
      .where((is) =>
        is.or([is('intended_use_version', 'is', null), is('intended_use_version', '!=', intendedUseVersion)]),
      )
      .returning('id')
      .executeTakeFirst();
    if (accepted !== undefined) {
      await auditDone(transaction, now, actor, 'accept_intended_use', ['site', siteId], {
        version: intendedUseVersion,
      });
    }
  });
  await reloadSessions(db, sessions, siteId);
}

/** Reads all signed-in users of the site again. */
async function reloadSessions(db: Kysely<Database>, sessions: Sessions, siteId: number): Promise<void> {
  const users = await db.selectFrom('users').select('id').where('site_id', '=', siteId).execute();
  await sessions.reload(users.map(({ id }) => id));
}
