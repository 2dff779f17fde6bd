import type { Kysely } from 'kysely';
import type { SiteSettings } from '../../lib/site/schema';
import { toInstant } from '../../lib/time/schema';
import type { Database } from '../db/schema';
import { hasIntendedUseChanged } from './areRulesOn';

/** Returns a site's settings as its administrators see them, without backup and clock, which are not per site. */
export async function readSite(
  db: Kysely<Database>,
  siteId: number,
): Promise<Omit<SiteSettings, 'backup' | 'clockDoubt'>> {
  const row = await db
    .selectFrom('sites')
    .leftJoin('users', 'users.id', 'sites.intended_use_accepted_by')
    .selectAll('sites')
    .select(['users.fname', 'users.lname'])
    .where('sites.id', '=', siteId)
    .executeTakeFirstOrThrow();
  return {
    id: row.id,
    name: row.name,
    timeZone: row.time_zone,
    isDemo: row.is_demo === 1,
    emergencyNumber: row.emergency_number,
    signUpMode: row.sign_up_mode,
    idleMinutes: row.idle_minutes,
    shiftStarts: row.shift_starts.split(','),
    checkInTimes: row.check_in_times.split(','),
    outOfHoursText: row.out_of_hours_text,
    chatPatientLabel: row.chat_patient_label,
    dateOrder: row.date_order,
    intendedUse:
      row.intended_use_accepted_at === null
        ? null
        : {
            acceptedAt: toInstant(row.intended_use_accepted_at),
            acceptedBy: `${row.fname ?? ''} ${row.lname ?? ''}`.trim(),
            isCurrent: !hasIntendedUseChanged(row),
          },
    version: row.version,
  };
}
